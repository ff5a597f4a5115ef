package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL primary with asynchronous replicas, on free ports that are reachable only
 * from this machine. It does not need Docker. Server 0 is the first primary.
 */
public final class PostgresqlCluster implements AutoCloseable {

	private static final Set<String> NOT_COPIED_FILES = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

	private final Path directory;

	private final List<EmbeddedPostgres> servers = new ArrayList<>();

	private PostgresqlCluster(Path directory, int replicas) throws IOException, SQLException {
		this.directory = directory;
		this.servers.add(startServer(dataDirectory(0)));
		for (int replica = 1; replica <= replicas; replica++) {
			copyPrimary(replica);
			this.servers.add(startServer(dataDirectory(replica)));
		}
	}

	/**
	 * Start a primary with one replica.
	 */
	public static PostgresqlCluster start() {
		return start(1);
	}

	/**
	 * Start a primary with replicas. All replicas follow this primary. After one of them
	 * has been promoted, the others still follow the old primary.
	 */
	public static PostgresqlCluster start(int replicas) {
		try {
			return new PostgresqlCluster(Files.createTempDirectory("ids-cluster"), replicas);
		}
		catch (IOException | SQLException ex) {
			throw new IllegalStateException("Cannot start PostgreSQL with replicas", ex);
		}
	}

	private Path dataDirectory(int server) {
		return this.directory.resolve("server" + server);
	}

	private static EmbeddedPostgres startServer(Path data) throws IOException {
		return startServer(data, ServerProcess.freePort());
	}

	private static EmbeddedPostgres startServer(Path data, int port) throws IOException {
		return EmbeddedPostgres.builder()
			.setPort(port)
			.setDataDirectory(data)
			.setCleanDataDirectory(false)
			.setPGStartupWait(Duration.ofMinutes(1))
			.setServerConfig("max_connections", "100")
			.setServerConfig("wal_level", "replica")
			.setServerConfig("hot_standby", "on")
			.setServerConfig("fsync", "on")
			.start();
	}

	private void copyPrimary(int replica) throws IOException, SQLException {
		Path source = dataDirectory(0);
		Path target = dataDirectory(replica);
		EmbeddedPostgres primary = this.servers.get(0);
		try (Connection connection = connect(primary); Statement statement = connection.createStatement()) {
			statement.execute("select pg_backup_start('replica', true)");
			copy(source, target);
			try (ResultSet rows = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
				rows.next();
				Files.writeString(target.resolve("backup_label"), rows.getString(1));
			}
		}
		Files.createFile(target.resolve("standby.signal"));
		Files.writeString(target.resolve("postgresql.auto.conf"),
				"\nprimary_conninfo = 'host=localhost port=" + primary.getPort() + " user=postgres'\n",
				StandardOpenOption.APPEND);
	}

	private static void copy(Path source, Path target) throws IOException {
		Files.walkFileTree(source, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
				Files.copy(from, target.resolve(source.relativize(from)), StandardCopyOption.COPY_ATTRIBUTES);
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
				if (!NOT_COPIED_FILES.contains(from.getFileName().toString())) {
					try {
						Files.copy(from, target.resolve(source.relativize(from)), StandardCopyOption.COPY_ATTRIBUTES);
					}
					catch (NoSuchFileException ex) {
						// the file was temporary
					}
				}
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFileFailed(Path from, IOException exception) throws IOException {
				if (exception instanceof NoSuchFileException) {
					return FileVisitResult.CONTINUE;
				}
				throw exception;
			}

		});
	}

	/**
	 * Return the database on the server that currently accepts writes.
	 */
	public TestDatabase database() {
		String hosts = this.servers.stream()
			.map((server) -> "localhost:" + server.getPort())
			.collect(Collectors.joining(","));
		return new TestDatabase(
				"jdbc:postgresql://" + hosts
						+ "/postgres?targetServerType=primary&hostRecheckSeconds=0&connectTimeout=2&loginTimeout=5",
				"postgres", "postgres", "postgresql");
	}

	/**
	 * Return the database on the first replica, whether or not it accepts writes.
	 */
	public TestDatabase replica() {
		return new TestDatabase("jdbc:postgresql://localhost:" + this.servers.get(1).getPort() + "/postgres",
				"postgres", "postgres", "postgresql");
	}

	/**
	 * Wait until the replicas have replayed all that the primary has written.
	 */
	public void catchUp() throws SQLException {
		EmbeddedPostgres primary = this.servers.get(0);
		String written = ask(primary, "select pg_current_wal_lsn()::text");
		ask(primary, "select pg_switch_wal()::text");
		for (EmbeddedPostgres replica : this.servers.subList(1, this.servers.size())) {
			awaitTrue(replica, "select coalesce(pg_last_wal_replay_lsn() >= '" + written + "'::pg_lsn, false)::text");
		}
	}

	/**
	 * Stop the replication to the first replica. When this replica is promoted later, it
	 * first replays all that it has received.
	 */
	public void cutReplica() throws SQLException {
		EmbeddedPostgres replica = this.servers.get(1);
		try (Connection connection = connect(replica); Statement statement = connection.createStatement()) {
			statement.execute("alter system set primary_conninfo = ''");
			statement.execute("select pg_reload_conf()");
		}
		awaitTrue(replica, "select (not exists (select 1 from pg_stat_wal_receiver))::text");
	}

	public void killPrimary() throws IOException {
		kill(0);
	}

	/**
	 * Kill the main process of a server. The other processes then end by themselves.
	 */
	public void kill(int server) throws IOException {
		long pid = Long.parseLong(Files.readAllLines(dataDirectory(server).resolve("postmaster.pid")).get(0).trim());
		ProcessHandle.of(pid).ifPresent((process) -> {
			process.destroyForcibly();
			process.onExit().join();
		});
	}

	/**
	 * Start a killed server with its old data, without {@code pg_rewind}.
	 */
	public void restart(int server) throws IOException {
		int port = this.servers.get(server).getPort();
		// tell the library that the killed process has ended
		this.servers.get(server).close();
		this.servers.set(server, startServer(dataDirectory(server), port));
	}

	public void promoteReplica() throws SQLException {
		promote(1);
	}

	/**
	 * Promote a replica, and wait until it accepts writes.
	 */
	public void promote(int server) throws SQLException {
		EmbeddedPostgres replica = this.servers.get(server);
		ask(replica, "select pg_promote()::text");
		awaitTrue(replica, "select (not pg_is_in_recovery())::text");
	}

	private static void awaitTrue(EmbeddedPostgres server, String sql) throws SQLException {
		while (!"true".equals(ask(server, sql))) {
			Thread.yield();
		}
	}

	private static String ask(EmbeddedPostgres server, String sql) throws SQLException {
		try (Connection connection = connect(server);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(sql)) {
			rows.next();
			return rows.getString(1);
		}
	}

	private static Connection connect(EmbeddedPostgres server) throws SQLException {
		return DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
	}

	@Override
	public void close() {
		try {
			for (int server = this.servers.size() - 1; server >= 0; server--) {
				if (Files.exists(dataDirectory(server).resolve("postmaster.pid"))) {
					this.servers.get(server).close();
				}
			}
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
