package dev.idspring.autoconfigure;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.autoconfigure.StartupFailures.Application;
import dev.idspring.autoconfigure.StartupFailures.Setup;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.CountingProxy;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.PostgresqlCluster;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests the errors of applications that lack access to their database: users without
 * privileges, wrong passwords, standbys, and read-only databases.
 */
@ExtendWith(OutputCaptureExtension.class)
class DatabaseAccessTests {

	private static final String TABLES = "ids_key_space,ids_slot,ids_gapless";

	@TempDir
	private Path directory;

	private final String user = "u" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, dedicated", "POSTGRESQL, shared", "MARIADB, dedicated", "MARIADB, shared",
			"MYSQL_DRIVER, dedicated", "H2, dedicated" })
	@FewInvocations(2)
	void userWithSelectOnlyMakesStartupFail(Kind kind, String connection, CapturedOutput output) throws Exception {
		TestDatabase database = withKeySpace(kind);
		TestDatabase reader = createUser(database, "select", TABLES);
		StartupFailures.assertStartupFails(settingsFile("ids.jdbc.connection", connection), reader, Application.class);
		assertThat(StartupFailures.description(output)).containsIgnoringCase("User '" + this.user)
			.containsPattern("has no right to (insert into|update) table ids_key_space");
		StartupFailures.assertAnalysis(output, "has no right to",
				"Grant select, insert and update on table ids_key_space to this user.");
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER, Kind.H2 })
	@FewInvocations(1)
	void wrongPasswordIsReportedWithItsProperties(Kind kind, CapturedOutput output) throws Exception {
		TestDatabase database = withKeySpace(kind);
		TestDatabase writer = createUser(database, "select, insert, update", TABLES);
		// the PostgreSQL test server does not check passwords, so use an unknown user
		TestDatabase rejectedUser = new TestDatabase(writer.url(),
				(kind == Kind.POSTGRESQL) ? "nobody" : writer.username(), "wrong", writer.platform());
		StartupFailures.assertStartupFails(settingsFile("ids.block.wait-timeout", "500ms"), rejectedUser,
				Application.class);
		StartupFailures.assertAnalysis(output, "the database rejects the user or the password",
				"Correct spring.datasource.username and spring.datasource.password");
		assertThat(StartupFailures.description(output)).contains("Property: spring.datasource.username",
				"Value: \"" + rejectedUser.username());
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER })
	void missingDatabaseIsReported(Kind kind, CapturedOutput output) throws Exception {
		TestDatabase database = kind.create();
		TestDatabase missing = new TestDatabase(database.url().replaceFirst("/[^/?]*(\\?|$)", "/missing$1"),
				database.username(), database.password(), database.platform());
		StartupFailures.assertStartupFails(settingsFile("ids.block.wait-timeout", "500ms"), missing, Application.class);
		StartupFailures.assertAnalysis(output, "there is no database with this name",
				"Create the database, or correct its name in the address.");
		assertThat(StartupFailures.description(output)).contains("/missing");
	}

	@Test
	@Tag("wide")
	void stoppedServerIsReportedToCallersAndInSnapshots() throws Exception {
		CountingProxy proxy = new CountingProxy(TestDatabase.postgresql());
		try (proxy;
				ConfigurableApplicationContext context = StartupFailures.start(
						settingsFile("ids.block.wait-timeout", "3s"), proxy.database(), Application.class,
						"--ids.block.size=1")) {
			String refusal = "127.0.0.1:" + proxy.port() + " refuses the connection";
			ManagedIdGenerator ids = context.getBean(ManagedIdGenerator.class);
			// a server that is being stopped may accept a connection and then never
			// respond on it, but a closed proxy refuses each connection
			proxy.close();
			// callers may still get ids from memory
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.untilAsserted(
						() -> assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(ids::nextLong)
							.withMessageContaining(refusal));
			Awaitility.await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
				ids.refresh(Duration.ofSeconds(1)).join();
				assertThat(ids.snapshot().storeFailure()).contains(refusal);
			});
		}
	}

	@Test
	void missingSchemaIsReported(CapturedOutput output) throws Exception {
		StartupFailures.assertStartupFails(settingsFile("spring.datasource.hikari.schema", "missing"),
				Kind.POSTGRESQL.create(), Application.class);
		StartupFailures.assertAnalysis(output, "there is no schema with this name, or none is selected",
				"Create the schema that the connection is to use, or");
	}

	@ParameterizedTest
	@EnumSource(value = Kind.class, names = { "POSTGRESQL", "MARIADB", "H2" })
	@FewInvocations(2)
	void userWithoutUpdateOnSlotsMakesStartupFail(Kind kind, CapturedOutput output) throws Exception {
		TestDatabase database = withKeySpace(kind);
		TestDatabase writer = createUser(database, "select, insert", TABLES);
		grant(database, "update", "ids_key_space");
		StartupFailures.assertStartupFails(settingsFile("ids.strategy", "coprime"), writer, Application.class);
		StartupFailures.assertAnalysis(output, "has no right to update table ids_slot",
				"Grant select, insert and update on table ids_slot to this user.");
	}

	@Test
	void userWithoutWriteAccessToGaplessNumbersMakesStartupFail(CapturedOutput output) throws Exception {
		TestDatabase database = withKeySpace(Kind.POSTGRESQL);
		TestDatabase writer = createUser(database, "select, insert, update", "ids_key_space,ids_slot");
		grant(database, "select", "ids_gapless");
		StartupFailures.assertStartupSucceeds(settingsFile("ids.strategy", "coprime"), writer);
		StartupFailures.assertStartupFails(settingsFile("ids.generators.invoices.strategy", "gapless"), writer,
				Application.class);
		assertThat(StartupFailures.description(output))
			.containsPattern("has no right to (insert into|update) table ids_gapless");
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER, Kind.H2 })
	@FewInvocations(2)
	void existingTablesRequireNoCreatePrivilege(Kind kind) throws Exception {
		TestDatabase database = withKeySpace(kind);
		TestDatabase writer = createUser(database, "select, insert, update", TABLES);
		StartupFailures.assertStartupSucceeds(settingsFile("ids.jdbc.initialize-schema", "always"), writer);
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER, Kind.H2 })
	@FewInvocations(1)
	void tablesOfUnusedStrategiesRequireNoPrivileges(Kind kind) throws Exception {
		TestDatabase database = withKeySpace(kind);
		TestDatabase writer = createUser(database, "select, insert, update", "ids_key_space,ids_slot");
		StartupFailures.assertStartupSucceeds(settingsFile("ids.jdbc.initialize-schema", "always"), writer);
	}

	@ParameterizedTest
	@FewInvocations(1)
	@CsvSource({ "POSTGRESQL, ?options=-c%20default_transaction_read_only=on",
			"MARIADB, ?sessionVariables=transaction_read_only=1" })
	void readOnlyDatabaseIsReportedAtStartup(Kind kind, String suffix, CapturedOutput output) throws Exception {
		TestDatabase database = withKeySpace(kind);
		TestDatabase readOnlyDatabase = new TestDatabase(database.url() + suffix, database.username(),
				database.password(), database.platform());
		StartupFailures.assertStartupFails(settingsFile("ids.block.wait-timeout", "2s"), readOnlyDatabase,
				Application.class);
		StartupFailures.assertAnalysis(output, "the server is read-only, or a standby that has not been promoted yet",
				"that it is neither a standby nor read-only");
	}

	@Test
	@Tag("wide")
	void hotStandbyIsReportedAtStartup(CapturedOutput output) throws Exception {
		try (PostgresqlCluster cluster = PostgresqlCluster.start()) {
			StartupFailures.assertStartupSucceeds(settingsFile("ids.strategy", "coprime"), cluster.database());
			cluster.catchUp();
			StartupFailures.assertStartupFails(settingsFile("ids.block.wait-timeout", "2s"), cluster.replica(),
					Application.class);
			StartupFailures.assertAnalysis(output,
					"the server is read-only, or a standby that has not been promoted yet",
					"that it is neither a standby nor read-only");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "coprime", "recycled", "snowflake", "gapless" })
	@FewInvocations(1)
	void databaseThatBecomesReadOnlyIsReported(String strategy) throws Exception {
		TestDatabase database = TestDatabase.postgresql();
		String properties = "--ids.generators.orders.strategy=" + strategy;
		try (ConfigurableApplicationContext context = StartupFailures.start(StartupFailures.settings()
			.with("ids.block.wait-timeout", "3s")
			.with("ids.block.size", "1")
			.with("ids.block.max-size", "1")
			.with("ids.lease", "1s")
			.write(this.directory), database, TransactionalApplication.class, properties)) {
			IdGenerator ids = context.getBean("ordersIdGenerator", IdGenerator.class);
			draw(context, ids);
			makeReadOnly(database);
			// the first caller may time out before any access to the database fails. Such
			// a caller cannot report the cause
			Awaitility.await()
				.until(() -> catchThrowableOfType(IdStoreUnavailableException.class, () -> draw(context, ids)),
						(ex) -> ex != null && ex.getMessage()
							.contains("the server is read-only, or a standby that has not been promoted yet"));
			GeneratorSnapshot snapshot = ((ManagedIdGenerator) ids).snapshot();
			assertThat(snapshot.block().lastError()).contains("read-only");
			// a snapshot of a gapless sequence only reads the database, and reads still
			// succeed
			assertThat(strategy.equals("gapless") ? "read-only" : snapshot.storeFailure()).contains("read-only");
		}
	}

	private static void draw(ConfigurableApplicationContext context, IdGenerator ids) {
		try {
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> ids.nextLong());
		}
		catch (TransactionSystemException ex) {
			// the database closed the connection of the transaction
		}
	}

	/**
	 * Make the database read-only and end all sessions, as an operator does before a
	 * switch-over.
	 */
	private static void makeReadOnly(TestDatabase database) throws SQLException {
		try (HikariDataSource pool = database.pool(1);
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			statement
				.execute("alter database \"" + connection.getCatalog() + "\" set default_transaction_read_only = on");
			statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
					+ " where datname = current_database() and pid <> pg_backend_pid()");
		}
	}

	private TestDatabase withKeySpace(Kind kind) throws Exception {
		TestDatabase database = kind.create();
		StartupFailures.assertStartupSucceeds(settingsFile("ids.strategy", "coprime"), database);
		return database;
	}

	private TestDatabase createUser(TestDatabase database, String rights, String tables) throws SQLException {
		switch (database.platform()) {
			case "postgresql" -> database.execute("create role " + this.user + " login password 'pw'",
					"revoke create on schema public from public");
			case "h2" -> database.execute("create user " + this.user + " password 'pw'");
			default -> database.execute("create user " + account(database) + " identified by 'pw'");
		}
		for (String table : tables.split(",")) {
			grant(database, rights, table);
		}
		// H2 requires more privileges for settings in the URL, so remove the settings
		return new TestDatabase(database.url().split(";")[0], this.user, "pw", database.platform());
	}

	private void grant(TestDatabase database, String rights, String table) {
		database.execute("grant " + rights + " on " + table + " to " + account(database));
	}

	/**
	 * Return the account name. On MariaDB and MySQL, it includes the host name, because
	 * otherwise the anonymous account of the local host would take precedence.
	 */
	private String account(TestDatabase database) {
		return database.platform().matches("mariadb|mysql") ? "'" + this.user + "'@'localhost'" : this.user;
	}

	private Path settingsFile(String property, String value) throws Exception {
		Setup settings = StartupFailures.settings().with(property, value);
		return settings.write(this.directory);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(TransactionAutoConfiguration.class)
	static class TransactionalApplication extends Application {

	}

}
