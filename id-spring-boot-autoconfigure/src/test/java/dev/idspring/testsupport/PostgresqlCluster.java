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
import java.util.Set;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL server with a replica that follows asynchronously: without Docker, on free
 * ports, reachable from this machine only.
 */
public final class PostgresqlCluster implements AutoCloseable {

	private static final Set<String> NOT_COPIED = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

	private final Path directory;

	private final EmbeddedPostgres primary;

	private final EmbeddedPostgres replica;

	private PostgresqlCluster(Path directory) throws IOException, SQLException {
		this.directory = directory;
		this.primary = server(directory.resolve("primary"));
		copyPrimary();
		this.replica = server(directory.resolve("replica"));
	}

	public static PostgresqlCluster start() {
		try {
			return new PostgresqlCluster(Files.createTempDirectory("ids-cluster"));
		}
		catch (IOException | SQLException ex) {
			throw new IllegalStateException("Cannot start PostgreSQL with a replica", ex);
		}
	}

	private static EmbeddedPostgres server(Path data) throws IOException {
		return EmbeddedPostgres.builder()
			.setDataDirectory(data)
			.setCleanDataDirectory(false)
			.setServerConfig("max_connections", "100")
			.setServerConfig("wal_level", "replica")
			.setServerConfig("hot_standby", "on")
			.setServerConfig("fsync", "on")
			.start();
	}

	private void copyPrimary() throws IOException, SQLException {
		Path source = this.directory.resolve("primary");
		Path target = this.directory.resolve("replica");
		try (Connection connection = connect(this.primary); Statement statement = connection.createStatement()) {
			statement.execute("select pg_backup_start('replica', true)");
			copy(source, target);
			try (ResultSet rows = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
				rows.next();
				Files.writeString(target.resolve("backup_label"), rows.getString(1));
			}
		}
		Files.createFile(target.resolve("standby.signal"));
		Files.writeString(target.resolve("postgresql.auto.conf"),
				"\nprimary_conninfo = 'host=localhost port=" + this.primary.getPort() + " user=postgres'\n",
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
				if (!NOT_COPIED.contains(from.getFileName().toString())) {
					try {
						Files.copy(from, target.resolve(source.relativize(from)), StandardCopyOption.COPY_ATTRIBUTES);
					}
					catch (NoSuchFileException ex) {
						// was only needed for a moment
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
	 * Return the database of whichever server accepts writes.
	 */
	public TestDatabase database() {
		return new TestDatabase(
				"jdbc:postgresql://localhost:" + this.primary.getPort() + ",localhost:" + this.replica.getPort()
						+ "/postgres?targetServerType=primary&hostRecheckSeconds=0&connectTimeout=2&loginTimeout=5",
				"postgres", "postgres", "postgresql");
	}

	/**
	 * Return the database of the replica, whether or not it accepts writes.
	 */
	public TestDatabase replica() {
		return new TestDatabase("jdbc:postgresql://localhost:" + this.replica.getPort() + "/postgres", "postgres",
				"postgres", "postgresql");
	}

	/**
	 * Wait until the replica has all that the primary has now.
	 */
	public void catchUp() throws SQLException {
		String written = ask(this.primary, "select pg_current_wal_lsn()::text");
		ask(this.primary, "select pg_switch_wal()::text");
		awaitTrue("select coalesce(pg_last_wal_replay_lsn() >= '" + written + "'::pg_lsn, false)::text");
	}

	/**
	 * Let the replica receive nothing any more. What it has received it would replay
	 * before a promotion.
	 */
	public void cutReplica() throws SQLException {
		try (Connection connection = connect(this.replica); Statement statement = connection.createStatement()) {
			statement.execute("alter system set primary_conninfo = ''");
			statement.execute("select pg_reload_conf()");
		}
		awaitTrue("select (not exists (select 1 from pg_stat_wal_receiver))::text");
	}

	/**
	 * Kill the primary without a chance to say anything.
	 */
	public void killPrimary() throws IOException {
		Path data = this.directory.resolve("primary");
		long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim());
		ProcessHandle.of(pid).ifPresent((process) -> {
			process.destroyForcibly();
			process.onExit().join();
		});
	}

	public void promoteReplica() throws SQLException {
		ask(this.replica, "select pg_promote()::text");
		awaitTrue("select (not pg_is_in_recovery())::text");
	}

	private void awaitTrue(String sql) throws SQLException {
		while (!"true".equals(ask(this.replica, sql))) {
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
			this.replica.close();
			if (Files.exists(this.directory.resolve("primary").resolve("postmaster.pid"))) {
				this.primary.close();
			}
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
