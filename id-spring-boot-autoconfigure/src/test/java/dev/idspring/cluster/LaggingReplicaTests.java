package dev.idspring.cluster;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests MariaDB with a lagging replica, and with a driver that sends reads to the
 * replica.
 */
@RealServers
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LaggingReplicaTests {

	private static final int INSTANCES = 6;

	private static final int DRAWS = 2_500;

	/**
	 * Longer than the reservation of a block takes, but shorter than the wait timeout of
	 * callers.
	 */
	private static final int LAG_SECONDS = 1;

	private DatabaseProcess primary;

	private DatabaseProcess replica;

	private String name;

	private TestDatabase database;

	@BeforeAll
	void startServers() {
		this.primary = startPrimary();
		this.replica = startReplica(this.primary, LAG_SECONDS);
	}

	private static DatabaseProcess startPrimary() {
		return DatabaseProcess.mariadb(List.of("--server-id=1", "--log-bin=binary"));
	}

	private static DatabaseProcess startReplica(DatabaseProcess primary, int lag) {
		DatabaseProcess replica = DatabaseProcess.mariadb(List.of("--server-id=2", "--read-only"));
		replica.server()
			.execute(
					"change master to master_host = '127.0.0.1', master_port = " + primary.port()
							+ ", master_user = 'root', master_password = '', master_ssl = 0, master_delay = " + lag,
					"start slave");
		return replica;
	}

	@BeforeEach
	void createDatabase(TestInfo test) {
		this.name = "ids" + Integer.toHexString(test.getDisplayName().hashCode());
		this.primary.server().execute("create database " + this.name);
		this.database = new TestDatabase("jdbc:mariadb://127.0.0.1:" + this.primary.port() + "/" + this.name, "root",
				"", "mariadb");
	}

	@AfterAll
	void stopServers() {
		this.replica.close();
		this.primary.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "select 1", "set autocommit=1", "set autocommit=0" })
	void readsFromALaggingReplicaCauseNoDuplicates(String initSql) throws Exception {
		Draws draws = new Draws();
		try (Instances direct = new Instances(this.database)) {
			draws.draw(direct.start(Draws.properties()), 100);
		}
		awaitReplica("select count(*) from " + this.name
				+ ".ids_key_space where name in ('coprime', 'sequential', 'recycled')", 3);
		TestDatabase splitDatabase = this.database.withUrlSuffix("?replica=" + this.replica.port());
		String[] properties = Draws.properties("ids.block.size=10", "ids.block.max-size=10",
				"spring.datasource.driver-class-name=" + Splitter.class.getName(),
				"spring.datasource.hikari.connection-init-sql=" + initSql);
		try (Instances instances = new Instances(splitDatabase)) {
			Instances.sideBySide(IntStream.range(0, INSTANCES)
				.mapToObj((i) -> instances.start(properties))
				.map((instance) -> (Callable<Integer>) () -> draws.draw(instance, DRAWS))
				.toList());
		}
		draws.assertNoDuplicates("MariaDB, splitter with a replica " + LAG_SECONDS + " s behind, " + initSql);
	}

	/**
	 * Uses the drivers of MariaDB and MySQL.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mariadb:sequential://%s,%s/ids", "jdbc:mysql://%s,%s/ids?failOverReadOnly=false" })
	void storeRecoversAfterTheReplicaIsPromoted(String url) {
		try (DatabaseProcess primary = startPrimary(); DatabaseProcess replica = startReplica(primary, 0)) {
			primary.server().execute("create database ids");
			TestDatabase primaryAndReplica = new TestDatabase(
					url.formatted("127.0.0.1:" + primary.port(), "127.0.0.1:" + replica.port()), "root", "", "mariadb");
			try (Instances instances = new Instances(primaryAndReplica);
					RecoveryTimer timer = new RecoveryTimer(
							"MariaDB, fail-over, " + url.substring(0, url.indexOf("//")),
							instances.start(Draws.properties(RecoveryTimer.PROPERTIES)))) {
				primary.kill();
				replica.server().execute("stop slave", "reset slave all", "set global read_only = 0");
				timer.awaitRecovery();
			}
		}
	}

	/**
	 * Verifies the driver on which {@link #readsFromALaggingReplicaCauseNoDuplicates}
	 * relies.
	 */
	@Test
	void splitterSendsPlainReadsToTheReplica() throws Exception {
		this.database.execute("create table seen (number bigint)", "insert into seen values (1)");
		awaitReplica("select count(*) from " + this.name + ".seen", 1);
		String url = this.database.withUrlSuffix("?replica=" + this.replica.port()).url();
		try (Connection connection = new Splitter().connect(url, credentials());
				Statement statement = connection.createStatement()) {
			statement.executeUpdate("update seen set number = 2");
			try (ResultSet rows = statement.executeQuery("select number from seen")) {
				rows.next();
				assertThat(rows.getLong(1)).isEqualTo(1);
			}
			try (ResultSet rows = statement.executeQuery("select number from seen for update")) {
				rows.next();
				assertThat(rows.getLong(1)).isEqualTo(2);
			}
		}
	}

	private static Properties credentials() {
		Properties credentials = new Properties();
		credentials.setProperty("user", "root");
		credentials.setProperty("password", "");
		return credentials;
	}

	private void awaitReplica(String sql, int count) throws SQLException {
		String url = "jdbc:mariadb://127.0.0.1:" + this.replica.port() + "/";
		try (Connection connection = DriverManager.getConnection(url, "root", "");
				Statement statement = connection.createStatement()) {
			try {
				Awaitility.await().ignoreExceptionsInstanceOf(SQLException.class).until(() -> {
					try (ResultSet rows = statement.executeQuery(sql)) {
						rows.next();
						return rows.getInt(1) == count;
					}
				});
			}
			catch (ConditionTimeoutException ex) {
				try (ResultSet rows = statement.executeQuery("show slave status")) {
					rows.next();
					throw new IllegalStateException("The replica does not follow: " + rows.getString("Last_IO_Error")
							+ rows.getString("Last_SQL_Error") + rows.getString("Slave_IO_State"), ex);
				}
			}
		}
	}

}
