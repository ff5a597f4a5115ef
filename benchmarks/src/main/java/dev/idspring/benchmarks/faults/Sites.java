package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.TestStores;
import dev.idspring.redis.ValkeyServer;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.PostgresqlCluster;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestProxy;
import dev.idspring.worker.Deadline;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.FileSystemUtils;

/**
 * Starts the servers that a {@link Scene} needs. A scene is one fault, with the
 * {@linkplain Peer peers} that are exposed to it.
 */
final class Sites {

	/**
	 * The settings with which PostgreSQL writes the log to disk as rarely as possible, so
	 * that a crash loses as many commits as possible.
	 */
	private static final Map<String, String> RARE_FLUSHES = Map.of("synchronous_commit", "off", "wal_writer_delay",
			"10000");

	/**
	 * The maximum number of connections, which is large because each instance has its own
	 * pool.
	 */
	private static final int CONNECTIONS = 1_200;

	private Sites() {
	}

	static Site open(Store store, Fault fault) {
		boolean losesCommits = fault == Fault.LOST_COMMITS;
		return switch (store) {
			case NONE, POSTGRESQL -> (fault.replicas() > 0) ? new Cluster(fault.replicas()) : new Server(DatabaseProcess
				.postgresql(losesCommits ? RARE_FLUSHES : Map.of("max_connections", Integer.toString(CONNECTIONS))));
			case MARIADB ->
				(fault.replicas() > 0) ? new MariadbChain(fault.replicas()) : new Server(DatabaseProcess.mariadb(List
					.of(losesCommits ? "--innodb-flush-log-at-trx-commit=0" : "--max-connections=" + CONNECTIONS)));
			case VALKEY -> {
				if (System.getenv(ValkeyServer.VARIABLE) == null) {
					throw new NotRunException(ValkeyServer.VARIABLE + " is not set");
				}
				yield new Valkey(losesCommits ? "no" : "yes", fault.replicas());
			}
		};
	}

	/**
	 * A site with a database.
	 */
	private interface DatabaseSite extends Site {

		@Override
		TestDatabase database();

		@Override
		default String version() {
			try (HikariDataSource pool = database().pool(1)) {
				String version = new JdbcTemplate(pool).queryForObject("select version()", String.class);
				return String.valueOf(version).replaceAll("^PostgreSQL ", "").split("[- (]")[0];
			}
		}

		@Override
		default void create(List<String> statements) {
			try (HikariDataSource pool = database().pool(1)) {
				TestStores.initialize(pool, database(), "ids_");
				TestDatabase.execute(pool, statements.toArray(String[]::new));
			}
		}

	}

	/**
	 * A database server.
	 */
	private static final class Server implements DatabaseSite {

		private final DatabaseProcess process;

		private final TestDatabase database;

		Server(DatabaseProcess process) {
			this.process = process;
			this.database = TestDatabase.createOn(process.server());
		}

		@Override
		public TestDatabase database() {
			return this.database;
		}

		@Override
		public void freeze() {
			this.process.freeze();
		}

		@Override
		public void thaw() {
			this.process.thaw();
		}

		@Override
		public void crash() {
			this.process.kill();
			this.process.start();
		}

		@Override
		public void backUp() {
			this.process.backUp();
		}

		@Override
		public void restore() {
			this.process.restore();
		}

		@Override
		public void close() {
			this.process.close();
		}

	}

	/**
	 * A chain of PostgreSQL servers: a primary, and replicas, each of which follows the
	 * server before it.
	 */
	private static final class Cluster implements DatabaseSite {

		private static final Pattern PORT = Pattern.compile("localhost:(\\d+)");

		private final PostgresqlCluster cluster;

		private final List<JdbcTemplate> servers;

		private int primary;

		Cluster(int replicas) {
			this.cluster = PostgresqlCluster.start(replicas);
			List<String> ports = PORT.matcher(database().url()).results().map((port) -> port.group(1)).toList();
			this.servers = ports.stream()
				.map((port) -> new JdbcTemplate(new DriverManagerDataSource(
						"jdbc:postgresql://localhost:" + port + "/postgres", "postgres", "postgres")))
				.toList();
			for (int replica = 1; replica <= replicas; replica++) {
				follow(replica, "host=localhost port=" + ports.get(replica - 1) + " user=postgres");
			}
		}

		private void follow(int replica, String primary) {
			this.servers.get(replica).execute("alter system set primary_conninfo = '" + primary + "'");
			this.servers.get(replica).execute("select pg_reload_conf()");
		}

		@Override
		public TestDatabase database() {
			return this.cluster.database();
		}

		@Override
		public void cutReplica() throws InterruptedException {
			int replica = this.primary + 1;
			String written = this.servers.get(this.primary)
				.queryForObject("select pg_current_wal_lsn()::text", String.class);
			awaitTrue(replica, "select coalesce(pg_last_wal_replay_lsn() >= '" + written + "'::pg_lsn, false)");
			follow(replica, "");
			awaitTrue(replica, "select not exists (select 1 from pg_stat_wal_receiver)");
		}

		private void awaitTrue(int server, String sql) throws InterruptedException {
			Deadline deadline = Deadline.in(Duration.ofMinutes(1));
			while (!Boolean.TRUE.equals(this.servers.get(server).queryForObject(sql, Boolean.class))) {
				if (deadline.hasPassed()) {
					throw new IllegalStateException("This is still false on a replica after a minute: " + sql);
				}
				Thread.sleep(10);
			}
		}

		@Override
		public void failOver() throws Exception {
			this.cluster.kill(this.primary);
			this.primary++;
			this.cluster.promote(this.primary);
		}

		@Override
		public void failBack() throws Exception {
			this.cluster.kill(this.primary);
			this.primary = 0;
			this.cluster.restart(this.primary);
		}

		@Override
		public void close() {
			this.cluster.close();
		}

	}

	/**
	 * A chain of MariaDB servers: a primary, and replicas, each of which follows the
	 * server before it. Clients connect to a proxy, which forwards connections to the
	 * server that accepts writes.
	 */
	private static final class MariadbChain implements DatabaseSite {

		private final List<DatabaseProcess> servers = new ArrayList<>();

		private final TestProxy proxy;

		private final TestDatabase database;

		private int primary;

		MariadbChain(int replicas) {
			this.servers.add(server(0));
			for (int replica = 1; replica <= replicas; replica++) {
				this.servers.add(server(replica));
				this.servers.get(replica)
					.server()
					.execute("change master to master_host = '127.0.0.1', master_port = "
							+ this.servers.get(replica - 1).port()
							+ ", master_user = 'root', master_password = '', master_ssl = 0", "start slave");
			}
			int port = this.servers.get(0).port();
			this.proxy = new TestProxy("127.0.0.1", port);
			TestDatabase created = TestDatabase.createOn(this.servers.get(0).server());
			this.database = new TestDatabase(created.url().replace(":" + port, ":" + this.proxy.port()),
					created.username(), created.password(), created.platform());
		}

		private static DatabaseProcess server(int number) {
			return DatabaseProcess
				.mariadb(List.of("--server-id=" + (number + 1), "--log-bin=binary", "--log-slave-updates"));
		}

		@Override
		public TestDatabase database() {
			return this.database;
		}

		@Override
		public void cutReplica() {
			TestDatabase replica = this.servers.get(this.primary + 1).server();
			String written = query(this.servers.get(this.primary).server(), "select @@gtid_binlog_pos");
			query(replica, "select master_gtid_wait('" + written + "')");
			replica.execute("stop slave");
		}

		private static String query(TestDatabase database, String sql) {
			try (HikariDataSource pool = database.pool(1)) {
				return String.valueOf(new JdbcTemplate(pool).queryForObject(sql, String.class));
			}
		}

		@Override
		public void failOver() {
			this.servers.get(this.primary).kill();
			this.primary++;
			this.servers.get(this.primary).server().execute("reset slave all");
			redirectToPrimary();
		}

		@Override
		public void failBack() {
			this.servers.get(this.primary).kill();
			this.primary = 0;
			this.servers.get(this.primary).start();
			redirectToPrimary();
		}

		private void redirectToPrimary() {
			this.proxy.redirectTo(this.servers.get(this.primary).port());
			this.proxy.cut();
		}

		@Override
		public void close() {
			this.proxy.close();
			this.servers.forEach(DatabaseProcess::close);
		}

	}

	/**
	 * A chain of Valkey servers: a primary, and replicas, each of which follows the
	 * server before it. Clients connect to a proxy, which forwards connections to the
	 * server that accepts writes.
	 */
	private static final class Valkey implements Site {

		private final List<ValkeyServer> servers = new ArrayList<>();

		private final TestProxy proxy;

		private int primary;

		Valkey(String appendOnly, int replicas) {
			this.servers.add(new ValkeyServer("--appendonly", appendOnly));
			for (int replica = 1; replica <= replicas; replica++) {
				this.servers.add(new ValkeyServer("--replicaof", "127.0.0.1 " + this.servers.get(replica - 1).port()));
			}
			this.proxy = new TestProxy("127.0.0.1", primary().port());
		}

		private ValkeyServer primary() {
			return this.servers.get(this.primary);
		}

		@Override
		public int port() {
			return this.proxy.port();
		}

		@Override
		public String version() throws Exception {
			return primary().command("INFO", "server").replaceAll("(?s).*valkey_version:(\\S+).*", "$1");
		}

		@Override
		public void create(List<String> statements) {
			// Valkey creates keys on first use
		}

		@Override
		public void freeze() throws Exception {
			primary().signal("STOP");
		}

		@Override
		public void thaw() throws Exception {
			primary().signal("CONT");
		}

		@Override
		public void crash() throws Exception {
			primary().kill();
			primary().start();
		}

		@Override
		public void backUp() throws Exception {
			Path data = data();
			freeze();
			FileSystemUtils.copyRecursively(data, backup(data));
			thaw();
		}

		@Override
		public void restore() throws Exception {
			Path data = data();
			primary().kill();
			FileSystemUtils.deleteRecursively(data);
			FileSystemUtils.copyRecursively(backup(data), data);
			primary().start();
		}

		/**
		 * Return the directory of the append-only files.
		 */
		private Path data() throws IOException {
			return Path.of(primary().command("CONFIG", "GET", "dir").lines().toList().get(4), "appendonlydir");
		}

		private static Path backup(Path data) {
			return data.resolveSibling("backup");
		}

		@Override
		public void cutReplica() throws Exception {
			this.servers.get(this.primary + 1).command("REPLICAOF", "NO", "ONE");
		}

		@Override
		public void failOver() throws Exception {
			primary().kill();
			this.primary++;
			redirectToPrimary();
		}

		@Override
		public void failBack() throws Exception {
			primary().kill();
			this.primary = 0;
			primary().start();
			redirectToPrimary();
		}

		private void redirectToPrimary() {
			this.proxy.redirectTo(primary().port());
			this.proxy.cut();
		}

		@Override
		public void close() {
			this.proxy.close();
			this.servers.forEach(Valkey::close);
		}

		private static void close(ValkeyServer server) {
			try {
				server.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
