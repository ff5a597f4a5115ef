package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;

/**
 * A server program on this machine, which runs as long as a test needs it.
 */
final class ServerProcess implements AutoCloseable {

	private static final Duration MAX_START_TIME = Duration.ofMinutes(2);

	private final Path log;

	private final Process process;

	private ServerProcess(Path log, Process process) {
		this.log = log;
		this.process = process;
		Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
	}

	static ServerProcess start(Path log, List<String> command) {
		try {
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
			return new ServerProcess(log, builder.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait until the server is ready. If it does not become ready in time, fail with the
	 * text of its log.
	 */
	ServerProcess await(BooleanSupplier ready) {
		try {
			Awaitility.await().atMost(MAX_START_TIME).until(() -> !this.process.isAlive() || ready.getAsBoolean());
			if (this.process.isAlive()) {
				return this;
			}
			throw new IllegalStateException("The process has ended");
		}
		catch (RuntimeException ex) {
			kill();
			throw new IllegalStateException(read(this.log), ex);
		}
	}

	private static String read(Path log) {
		try {
			return Files.readString(log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static boolean isListening(int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void signal(String name) {
		Signals.send(name, this.process.toHandle());
	}

	void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
