package dev.idspring.redistests;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A server with an append-only file, which can be killed and started again.
 */
final class Valkey implements AutoCloseable {

	private final Path directory;

	private final int port;

	private Process process;

	private Valkey(Path directory, int port) {
		this.directory = directory;
		this.port = port;
	}

	/**
	 * Start a server, or skip the test where there is none.
	 */
	static Valkey start() throws IOException {
		assumeTrue(System.getenv("IDS_TEST_VALKEY") != null, "IDS_TEST_VALKEY is not set");
		Valkey server = new Valkey(Files.createTempDirectory("ids-valkey"), freePort());
		server.begin();
		return server;
	}

	void begin() throws IOException {
		List<String> command = new ArrayList<>(List.of(System.getenv("IDS_TEST_VALKEY").split(" ")));
		command.addAll(List.of("--port", Integer.toString(this.port), "--bind", "127.0.0.1", "--dir",
				this.directory.toString(), "--appendonly", "yes", "--save", ""));
		this.process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("log").toFile()))
			.start();
		Awaitility.await().until(this::listens);
	}

	int port() {
		return this.port;
	}

	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	String[] properties(String... others) {
		List<String> properties = new ArrayList<>(List.of("ids.store=redis", "spring.data.redis.port=" + this.port,
				"server.port=0", "management.endpoints.web.exposure.include=*",
				"management.endpoint.health.show-details=always"));
		properties.addAll(List.of(others));
		return properties.stream().map((property) -> "--" + property).toArray(String[]::new);
	}

	private boolean listens() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", this.port), 1_000);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	@Override
	public void close() throws IOException {
		kill();
		FileSystemUtils.deleteRecursively(this.directory);
	}

}
