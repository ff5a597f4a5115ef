package dev.idspring.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;

/**
 * The sample application in a separate process, on a free port.
 */
final class SampleProcess implements AutoCloseable {

	private static final Pattern PORT = Pattern.compile("Open http://localhost:(\\d+)/");

	private final Process process;

	private final Path log;

	private SampleProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Start a process.
	 * @param directory the working directory, which contains the database and the log
	 * @param name the name of the log
	 * @param zone the time zone of the process
	 * @param options the options of the JVM, followed by the main class or the jar and
	 * its arguments
	 */
	static SampleProcess start(Path directory, String name, String zone, String... options) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		// the process does not run long enough to benefit from the optimizing compiler
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
		command.addAll(List.of(options));
		command.add("--server.port=0");
		Path log = directory.resolve(name + ".log");
		ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile());
		builder.environment().put("TZ", zone);
		return new SampleProcess(builder.start(), log);
	}

	/**
	 * Wait until the application has started.
	 * @return a client of the application
	 */
	SampleClient client() {
		return Awaitility.await()
			.atMost(Duration.ofMinutes(5))
			.failFast("the application has ended", () -> !this.process.isAlive())
			.until(() -> {
				Matcher port = PORT.matcher(log());
				return port.find() ? new SampleClient(Integer.parseInt(port.group(1))) : null;
			}, (client) -> client != null);
	}

	String log() throws IOException {
		return Files.readString(this.log);
	}

	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	/**
	 * Stop the application gracefully.
	 */
	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
