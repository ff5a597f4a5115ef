package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that runs a program of the tests. The program may read commands line by line, and
 * must stop at an empty line or at the end of its input. It must write {@code STOPPED}
 * before it exits normally.
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
	 * @param mainClass the class to run
	 * @param log the file to which the standard error of the program is appended
	 */
	public static WorkerProcess start(Class<?> mainClass, Path log, String... arguments) {
		try {
			// one file for each process, because several processes would mix up their
			// output
			Path output = Files.createTempFile(Path.of("target"), mainClass.getSimpleName(), ".out");
			Process process = ChildProcess.of(mainClass, arguments)
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
	 * Kill the process, so that it cannot react.
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
	 * Send a command to the program.
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
	 * Ask the program to stop.
	 * @return whether the program stopped normally
	 */
	public boolean stop() {
		if (!isAlive()) {
			return false;
		}
		command("");
		try {
			// the output is searched, because other threads may write to it after STOPPED
			return this.process.waitFor(60, TimeUnit.SECONDS) && this.process.exitValue() == 0
					&& output().lines().anyMatch("STOPPED"::equals);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return how the process has ended, and the end of its standard output.
	 */
	public String end() {
		String output = output();
		return (isAlive() ? "it is alive" : "exit code " + this.process.exitValue()) + ", output ends with '"
				+ output.substring(Math.max(0, output.length() - 300)).strip() + "'";
	}

	/**
	 * Return the standard output of the process.
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
