package dev.idspring.jdbc;

import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link SqlFailure}.
 */
class SqlFailureTests {

	private static final String MESSAGE = "No driver for jdbc:x://app:S3cr3t@db";

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null",
			value = { "08001 | there is no connection to the database (SQLState 08001, code 7)",
					"28P01 | the database rejects the user or the password (SQLState 28P01, code 7)",
					"3D000 | there is no database with this name (SQLState 3D000, code 7)",
					"40001 | another transaction conflicted with this one (SQLState 40001, code 7)",
					"42P01 | a table, a column or a right is missing (SQLState 42P01, code 7)",
					"53300 | the database is short of resources (SQLState 53300, code 7)",
					"55P03 | another transaction conflicted with this one (SQLState 55P03, code 7)",
					"57P03 | the server is starting, or shutting down (SQLState 57P03, code 7)",
					"3F000 | there is no schema with this name, or none is selected (SQLState 3F000, code 7)",
					"HYT00 | the database did not answer in time, or ended the statement (SQLState HYT00, code 7)",
					"XX000 | the database or its driver failed (SQLState XX000, code 7)",
					"S3cr3t | the database or its driver failed (SQLException)",
					"null | the database or its driver failed (SQLException)" })
	void describesSqlStates(String state, String description) {
		assertThat(SqlFailure.describe(new SQLException(MESSAGE, state, 7))).isEqualTo(description);
	}

	@ParameterizedTest
	@CsvSource({ "25006, 0", "HY000, 1290", "HY000, 1836", "25006, 1792", "90097, 90097", "25502, 30000" })
	void identifiesReadOnlyServers(String state, int code) {
		assertThat(SqlFailure.describe(new SQLException(MESSAGE, state, code)))
			.startsWith("the server is read-only, or a standby that has not been promoted yet");
	}

	@ParameterizedTest
	@CsvSource({ "HY000, the database or its driver failed", "25P03, the transaction has ended",
			"25P02, the transaction has ended", "HY008, the database did not answer in time, or ended the statement" })
	void doesNotMistakeOtherFailuresForReadOnlyServers(String state, String description) {
		assertThat(SqlFailure.describe(new SQLException(MESSAGE, state, 7))).startsWith(description);
	}

	@Test
	void suggestsThePropertyWhenTheMysqlDriverMakesASecondHostReadOnly() throws SQLException {
		TestDatabase database = TestDatabase.mysql();
		String hosts = database.url().replaceFirst("//", "//127.0.0.1:1,");
		try (Connection connection = DriverManager.getConnection(hosts, database.username(), database.password());
				Statement statement = connection.createStatement()) {
			SQLException failure = catchThrowableOfType(SQLException.class,
					() -> statement.executeUpdate("update ids_key_space set next_ordinal = 1"));
			assertThat(SqlFailure.describe(failure)).contains("read-only", "add failOverReadOnly=false to the URL")
				.endsWith("(SQLState S1009, code 0)");
		}
	}

	@Test
	void doesNotMistakeOtherMysqlDriverErrorsForReadOnlyConnections() {
		assertThat(SqlFailure.describe(new SQLException(MESSAGE, "S1009")))
			.isEqualTo("the database or its driver failed (SQLState S1009, code 0)");
	}

	@Test
	void doesNotMistakeAFailureOfTheMariadbDriverForAMissingTable() {
		assertThat(SqlFailure.describe(new SQLException(MESSAGE, "42000", -1)))
			.isEqualTo("the database or its driver failed (SQLState 42000, code -1)");
	}

	@Test
	void identifiesAnUnknownMariadbDatabase() {
		assertThat(SqlFailure.describe(new SQLException(MESSAGE, "42000", 1049)))
			.isEqualTo("there is no database with this name (SQLState 42000, code 1049)");
	}

	@Test
	void usesTheSqlStateOfTheCause() {
		IllegalStateException failure = new IllegalStateException(MESSAGE,
				new SQLException(MESSAGE, null, new SQLException(MESSAGE, "08006")));
		assertThat(SqlFailure.describe(failure))
			.isEqualTo("there is no connection to the database (SQLState 08006, code 0)");
	}

	@Test
	void describesOtherExceptionsByTheirClass() {
		assertThat(SqlFailure.describe(new IllegalStateException(MESSAGE)))
			.isEqualTo("the database or its driver failed (IllegalStateException)");
	}

	@Test
	void describesTheCauseOfAPoolException() {
		SQLException pool = new SQLTransientConnectionException("pool - " + MESSAGE, "42000", 0,
				new SQLException(MESSAGE, "42000", 1049));
		assertThat(SqlFailure.describe(pool))
			.isEqualTo("there is no database with this name (SQLState 42000, code 1049)");
	}

	@ParameterizedTest
	@CsvSource({ "postgresql, 08001", "mariadb, 08000", "mysql, 08S01", "h2:tcp, 90067", "hsqldb:hsql, 08001" })
	void namesTheAddressOfRefusedConnectionsAndUnknownHosts(String driver, String state) {
		// no process uses port 1, whereas any process may take a port that is free now
		assertThat(describeFailure(driver, "localhost:1"))
			.startsWith("localhost:1 refuses the connection (SQLState " + state);
		assertThat(describeFailure(driver, "nonexistent.invalid:5000"))
			.startsWith("the host of nonexistent.invalid:5000 is unknown (SQLState " + state);
	}

	@ParameterizedTest
	@ValueSource(strings = { "mariadb", "mysql", "postgresql" })
	void namesTheServerThatDoesNotAnswer(String driver) throws Exception {
		try (ServerSocket silentServer = new ServerSocket(0)) {
			String timeout = driver.equals("postgresql") ? "loginTimeout=1&socketTimeout=1"
					: "connectTimeout=500&socketTimeout=500";
			String server = "localhost:" + silentServer.getLocalPort();
			SimpleDriverDataSource dataSource = dataSource("jdbc:" + driver + "://" + server + "/x?" + timeout);
			// PostgreSQL's driver has no exception class for the login timeout
			assertThat(describeFailure(dataSource)).startsWith(driver.equals("postgresql")
					? "there is no connection to the database at " + server : server + " did not answer in time (");
		}
	}

	@Test
	void reportsTheWaitForAConnectionOfABusyPool() throws Exception {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:mem:busy");
			pool.setMaximumPoolSize(1);
			pool.setConnectionTimeout(250);
			try (Connection held = pool.getConnection()) {
				assertThat(held).isNotNull();
				assertThat(describeFailure(pool)).startsWith("no connection became available within 250ms");
				SQLException failure = catchThrowableOfType(SQLException.class, pool::getConnection);
				assertThat(SqlFailure.remedy(failure)).get(InstanceOfAssertFactories.STRING)
					.contains("all connections may have been in use");
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "90020, 90020", "XSDB6, 45000", "S1000, -451" })
	void identifiesADatabaseFileOpenInAnotherProcess(String state, int code) {
		SQLException failure = new SQLException(MESSAGE, state, code);
		assertThat(SqlFailure.describe(failure)).startsWith("another process has the file of the database open (");
		assertThat(SqlFailure.remedy(failure)).get(InstanceOfAssertFactories.STRING)
			.contains("Stop the other process", ";AUTO_SERVER=TRUE");
	}

	@Test
	void showsTheLookupKeyOfARoutingDataSourceWithoutTarget() {
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return "t3";
			}

		};
		routing.setTargetDataSources(Map.of("t1", dataSource("jdbc:h2:mem:t1")));
		routing.afterPropertiesSet();
		assertThat(describeFailure(routing)).isEqualTo(
				"the routing DataSource found no target:" + " Cannot determine target DataSource for lookup key [t3]");
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB", "MYSQL_DRIVER" })
	void describesAStatementTimeoutByItsSetting(Kind kind) throws Exception {
		String limit = switch (kind) {
			case H2 -> "QUERY_TIMEOUT";
			case POSTGRESQL -> "statement_timeout";
			default -> "max_statement_time";
		};
		try (HikariDataSource pool = kind.create().pool(1);
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(switch (kind) {
				case H2 -> "set query_timeout 20";
				case POSTGRESQL -> "set statement_timeout = 20";
				default -> "set max_statement_time = 0.02";
			});
			SQLException failure = catchThrowableOfType(SQLException.class, () -> statement.execute(switch (kind) {
				case H2 -> "select count(*) from system_range(1, 1000000) a, system_range(1, 1000000) b";
				case POSTGRESQL -> "select pg_sleep(100)";
				default -> "select count(*) from information_schema.columns a, information_schema.columns b,"
						+ " information_schema.columns c";
			}));
			assertThat(SqlFailure.describe(failure)).startsWith("the statement took longer than allowed by " + limit);
			assertThat(SqlFailure.remedy(failure)).get(InstanceOfAssertFactories.STRING)
				.contains("raise " + limit + " of the database, or ids.block.wait-timeout");
		}
	}

	@Test
	void namesTheTimeLimitOfMysql() {
		assertThat(SqlFailure.describe(new SQLException(MESSAGE, "HY000", 3024)))
			.startsWith("the statement took longer than allowed by max_execution_time of the database");
	}

	private static String describeFailure(String driver, String server) {
		return describeFailure(dataSource("jdbc:" + driver + "://" + server + "/x"));
	}

	private static String describeFailure(DataSource dataSource) {
		Throwable failure = catchThrowable(dataSource::getConnection);
		String description = SqlFailure.describe(failure, dataSource);
		assertThat(description).doesNotContain("s3cret");
		return description;
	}

	private static SimpleDriverDataSource dataSource(String url) {
		try {
			return new SimpleDriverDataSource(DriverManager.getDriver(url), url, "sa",
					url.contains(":file:") || url.contains(":mem:") ? "" : "s3cret");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
