package dev.idspring.benchmarks.faults;

import java.util.List;
import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.TestStores;
import dev.idspring.redis.ValkeyServer;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.PostgresqlCluster;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestProxy;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Starts the servers of the tests.
 */
final class Sites {

	/**
	 * Write the log to disk as rarely as possible, so that a crash loses as many commits
	 * as possible.
	 */
	private static final Map<String, String> FORGETFUL = Map.of("synchronous_commit", "off", "wal_writer_delay",
			"10000");

	/**
	 * The maximum number of connections, which is large because each instance has its own
	 * pool.
	 */
	private static final int CONNECTIONS = 1_200;

	private Sites() {
	}

	static Site open(Store store, Fault fault) {
		boolean forgetful = fault == Fault.LOST_COMMITS;
		return switch (store) {
			case NONE, POSTGRESQL ->
				fault.needsReplica() ? new Cluster(PostgresqlCluster.start()) : new Server(DatabaseProcess
					.postgresql(forgetful ? FORGETFUL : Map.of("max_connections", Integer.toString(CONNECTIONS))));
			case MARIADB -> {
				if (fault.needsReplica()) {
					throw new NotRunException("this laboratory has no replica of MariaDB");
				}
				yield new Server(DatabaseProcess.mariadb(List
					.of(forgetful ? "--innodb-flush-log-at-trx-commit=0" : "--max-connections=" + CONNECTIONS)));
			}
			case VALKEY -> {
				if (System.getenv(ValkeyServer.VARIABLE) == null) {
					throw new NotRunException(ValkeyServer.VARIABLE + " names no Valkey server");
				}
				yield new Valkey(forgetful ? "no" : "yes", fault.needsReplica());
			}
		};
	}

	private static String version(TestDatabase database) {
		try (HikariDataSource pool = database.pool(1)) {
			String version = new JdbcTemplate(pool).queryForObject("select version()", String.class);
			return String.valueOf(version).replaceAll("^PostgreSQL ", "").split("[- (]")[0];
		}
	}

	private static void create(TestDatabase database, List<String> statements) {
		try (HikariDataSource pool = database.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			TestDatabase.execute(pool, statements.toArray(String[]::new));
		}
	}

	/**
	 * A database server.
	 */
	private static final class Server implements Site {

		private final DatabaseProcess process;

		private final TestDatabase database;

		Server(DatabaseProcess process) {
			this.process = process;
			this.database = TestDatabase.createdOn(process.server());
		}

		@Override
		public TestDatabase database() {
			return this.database;
		}

		@Override
		public String version() {
			return Sites.version(this.database);
		}

		@Override
		public void create(List<String> statements) {
			Sites.create(this.database, statements);
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
	 * A PostgreSQL server with a replica.
	 */
	private record Cluster(PostgresqlCluster cluster) implements Site {

		@Override
		public TestDatabase database() {
			return this.cluster.database();
		}

		@Override
		public String version() {
			return Sites.version(database());
		}

		@Override
		public void create(List<String> statements) {
			Sites.create(database(), statements);
		}

		@Override
		public void cutReplica() throws Exception {
			this.cluster.catchUp();
			this.cluster.cutReplica();
		}

		@Override
		public void failOver() throws Exception {
			this.cluster.killPrimary();
			this.cluster.promoteReplica();
		}

		@Override
		public void failBack() throws Exception {
			this.cluster.kill(1);
			this.cluster.restart(0);
		}

		@Override
		public void close() {
			this.cluster.close();
		}

	}

	/**
	 * A Valkey server, with a replica on request. Clients reach it through a proxy, which
	 * forwards them to the server that accepts writes.
	 */
	private static final class Valkey implements Site {

		private final ValkeyServer primary;

		private final List<ValkeyServer> replicas;

		private final TestProxy proxy;

		Valkey(String appendOnly, boolean replicated) {
			this.primary = new ValkeyServer("--appendonly", appendOnly);
			this.replicas = replicated ? List.of(new ValkeyServer("--replicaof", "127.0.0.1 " + this.primary.port()))
					: List.of();
			this.proxy = new TestProxy("127.0.0.1", this.primary.port());
		}

		@Override
		public int port() {
			return this.proxy.port();
		}

		@Override
		public String version() throws Exception {
			return this.primary.command("INFO", "server").replaceAll("(?s).*valkey_version:(\\S+).*", "$1");
		}

		@Override
		public void create(List<String> statements) {
			// Valkey creates keys on first use
		}

		@Override
		public void freeze() throws Exception {
			this.primary.signal("STOP");
		}

		@Override
		public void thaw() throws Exception {
			this.primary.signal("CONT");
		}

		@Override
		public void crash() throws Exception {
			this.primary.kill();
			this.primary.start();
		}

		@Override
		public void cutReplica() throws Exception {
			this.replicas.get(0).command("REPLICAOF", "NO", "ONE");
		}

		@Override
		public void failOver() throws Exception {
			this.primary.kill();
			this.proxy.lead(this.replicas.get(0).port());
			this.proxy.cut();
		}

		@Override
		public void failBack() throws Exception {
			this.replicas.get(0).kill();
			this.primary.start();
			this.proxy.lead(this.primary.port());
			this.proxy.cut();
		}

		@Override
		public void close() {
			this.proxy.close();
			close(this.primary);
			this.replicas.forEach(Valkey::close);
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
