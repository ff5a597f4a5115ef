package dev.idspring.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.idspring.worker.Deadline;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.FileSystemUtils;

/**
 * A Valkey server for tests. The environment variable {@code IDS_TEST_VALKEY} contains
 * the program, or a command that runs it.
 */
public final class ValkeyServer implements AutoCloseable {

	/** The environment variable without which tests are skipped. */
	public static final String VARIABLE = "IDS_TEST_VALKEY";

	private final int port;

	private final Path folder;

	private final List<String> arguments;

	private Process process;

	/**
	 * The size of the append-only file when {@link #keepWritesInMemory()} was called.
	 * Bytes beyond this size are only in memory.
	 */
	private long sizeOnDisk;

	/**
	 * Start a server with an append-only file, which is synchronized at each write.
	 * @param options additional options, which override the default ones
	 */
	public ValkeyServer(String... options) {
		this(freePort(), newFolder(), (port, folder) -> {
			List<String> arguments = new ArrayList<>(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1",
					"--dir", folder.toString(), "--appendonly", "yes", "--appendfsync", "always", "--save", "",
					"--repl-diskless-sync-delay", "0"));
			arguments.addAll(Arrays.asList(options));
			return arguments;
		});
	}

	private ValkeyServer(int port, Path folder, BiFunction<Integer, Path, List<String>> arguments) {
		this.port = port;
		this.folder = folder;
		this.arguments = arguments.apply(port, folder);
		try {
			start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start a server of a cluster.
	 */
	static ValkeyServer ofCluster() {
		return new ValkeyServer("--cluster-enabled", "yes", "--cluster-port", Integer.toString(freePort()),
				"--cluster-node-timeout", "1000");
	}

	/**
	 * Start one of three Sentinels.
	 * @param masterPort the port of the server that the Sentinel monitors
	 */
	static ValkeyServer sentinel(int masterPort) {
		return new ValkeyServer(freePort(), newFolder(), (port, folder) -> {
			try {
				Path file = Files.writeString(folder.resolve("sentinel.conf"),
						"port " + port + "\nbind 127.0.0.1\ndir " + folder + "\nsentinel monitor ids 127.0.0.1 "
								+ masterPort + " 2\nsentinel down-after-milliseconds ids 1000\n");
				return List.of(file.toString(), "--sentinel");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static Path newFolder() {
		try {
			return Files.createTempDirectory("valkey");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start the server, or start it again after it was killed.
	 */
	public void start() throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Objects.requireNonNull(System.getenv(VARIABLE), VARIABLE).split(" ")));
		command.addAll(this.arguments);
		this.process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(this.folder.resolve("log").toFile())
			.start();
		Deadline deadline = Deadline.in(Duration.ofSeconds(30));
		while (true) {
			try {
				if (command("PING").contains("PONG")) {
					return;
				}
			}
			catch (IOException ex) {
				if (deadline.hasPassed()) {
					throw ex;
				}
			}
			LockSupport.parkNanos(2_000_000);
		}
	}

	/**
	 * From now on, keep writes in the memory of the machine until the server is started
	 * again. Earlier writes are on disk.
	 */
	void keepWritesInMemory() throws IOException {
		command("CONFIG", "SET", "appendfsync", "no");
		this.sizeOnDisk = Files.size(appendOnlyFile());
	}

	/**
	 * Return whether there are writes that are only in the memory of the machine.
	 */
	boolean hasWritesInMemory() throws IOException {
		return Files.size(appendOnlyFile()) > this.sizeOnDisk;
	}

	/**
	 * Simulate a power failure after {@link #keepWritesInMemory()}: the memory of the
	 * machine is lost, and the server is started again.
	 */
	void losePower() throws IOException, InterruptedException {
		kill();
		try (FileChannel file = FileChannel.open(appendOnlyFile(), StandardOpenOption.WRITE)) {
			file.truncate(this.sizeOnDisk);
		}
		start();
	}

	/**
	 * Return the append-only file.
	 */
	private Path appendOnlyFile() throws IOException {
		try (Stream<Path> files = Files.list(this.folder.resolve("appendonlydir"))) {
			return files.filter((file) -> file.toString().endsWith(".incr.aof"))
				.max(Comparator.comparingLong((file) -> Long.parseLong(file.getFileName().toString().split("\\.")[2])))
				.orElseThrow();
		}
	}

	/**
	 * Run one command over a plain socket, because a client may reconnect and retry.
	 */
	public String command(String... words) throws IOException {
		try (java.net.Socket socket = new java.net.Socket("127.0.0.1", this.port)) {
			socket.setSoTimeout(20_000);
			StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
			for (String word : words) {
				request.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
			}
			socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
			byte[] answer = new byte[65_536];
			int length = socket.getInputStream().read(answer);
			return new String(answer, 0, Math.max(0, length), StandardCharsets.UTF_8);
		}
	}

	/**
	 * Return a connection factory for the server.
	 */
	public LettuceConnectionFactory factory() {
		return new LettuceConnectionFactory("127.0.0.1", this.port);
	}

	/**
	 * Open the database of the stores on this server.
	 */
	public RedisDatabase open(RedisSettings settings) {
		return RedisDatabase.open(factory(), settings, Deadline.in(Duration.ofSeconds(30)));
	}

	public int port() {
		return this.port;
	}

	/**
	 * Send a signal to the server.
	 */
	public void signal(String signal) throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).start().waitFor();
	}

	/**
	 * Kill the server, as {@code kill -9} does.
	 */
	public void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
	}

	@Override
	public void close() throws Exception {
		kill();
		FileSystemUtils.deleteRecursively(this.folder);
	}

}
