package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that runs a program of the tests, which takes commands by the line and stops at
 * an empty line or at the end of its input. Before it exits in order, the program writes
 * {@code STOPPED}.
 */
public final class WorkerProcess {

	private final Process process;

	private final Path output;

	private WorkerProcess(Process process, Path output) {
		this.process = process;
		this.output = output;
	}

	/**
	 * Start a program.
	 * @param main the class to run
	 * @param log what is appended to with what it writes to its standard error
	 */
	public static WorkerProcess start(Class<?> main, Path log, String... arguments) {
		try {
			// one each: what several write into the same file gets mixed up
			Path output = Files.createTempFile(Path.of("target"), main.getSimpleName(), ".out");
			Process process = ChildProcess.of(main, arguments)
				.redirectOutput(output.toFile())
				.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
				.start();
			return new WorkerProcess(process, output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Kill it: it cannot do anything about that.
	 */
	public void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	public void freeze() {
		Signals.send("STOP", this.process.toHandle());
	}

	public void thaw() {
		Signals.send("CONT", this.process.toHandle());
	}

	/**
	 * Give it a command.
	 */
	public void command(String line) {
		try {
			this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Ask it to stop.
	 * @return whether it did, in order
	 */
	public boolean stop() {
		if (!isAlive()) {
			return false;
		}
		command("");
		try {
			// its other threads may log something afterwards
			return this.process.waitFor(60, TimeUnit.SECONDS) && this.process.exitValue() == 0
					&& output().lines().anyMatch("STOPPED"::equals);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return how it ended, and the end of what it has written to its standard output.
	 */
	public String end() {
		String output = output();
		return (isAlive() ? "it is alive" : "exit code " + this.process.exitValue()) + ", output ends with '"
				+ output.substring(Math.max(0, output.length() - 300)).strip() + "'";
	}

	/**
	 * Return what it has written to its standard output.
	 */
	public String output() {
		try {
			return Files.readString(this.output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
