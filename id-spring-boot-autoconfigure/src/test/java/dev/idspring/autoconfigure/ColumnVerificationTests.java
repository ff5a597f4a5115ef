package dev.idspring.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ColumnVerification}: the valid values of {@code ids.verify-column},
 * and when the column is read.
 */
@ExtendWith(OutputCaptureExtension.class)
class ColumnVerificationTests {

	/**
	 * The number of instances that start while another instance inserts.
	 */
	private static final int STARTS = Integer.getInteger("test.ids.starts", 2);

	private final TestDatabase database = TestDatabase.h2();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				DataSourceInitializationAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
				IdsAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + this.database.url(), "ids.strategy=sequential");

	@ParameterizedTest
	@ValueSource(strings = { "orders", "a.b.c.d", "orders.id; drop table ids_slot", "orders.\"id\"", "orders.1", ".id",
			"orders.", "orders .id", "orders.id--", "orders.id/**/", "ordérs.id", "''" })
	void invalidColumnNamesAreRejected(String column) {
		this.contextRunner.withPropertyValues("ids.generators.orders.verify-column=" + column).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
				.analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("ids.generators.orders.verify-column is '" + column
					+ "' but must be auto, none or the names of a table and a column, such as orders.id");
		});
	}

	@Test
	void columnOfAnUnsupportedTypeIsRejected() {
		this.database.execute("create table orders (id uuid primary key)");
		this.contextRunner.withPropertyValues("ids.verify-column=orders.id")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining(
						"ids.verify-column is 'orders.id', but that column holds neither whole numbers nor strings"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "base62", "decimal" })
	void columnOfStringsThatDoNotSortByTimeIsRejected(String format) {
		ApplicationContextRunner snowflake = this.contextRunner.withPropertyValues("ids.strategy=snowflake",
				"ids.snowflake.format=" + format, "ids.verify-column=orders.id");
		this.database.execute("create table orders (id varchar(30) primary key)");
		snowflake.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.rootCause()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContaining(
					"orders.id (ids.verify-column) holds strings, but the strings of this generator do not sort by"
							+ " time"));
		this.database.execute("drop table orders", "create table orders (id bigint primary key)");
		snowflake.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void timeBasedIdsOfTheFutureAreReportedForANewKeySpace() {
		this.database.execute("create table orders (id bigint primary key)",
				"insert into orders values (4611686018427387904)");
		this.contextRunner.withPropertyValues("ids.strategy=snowflake", "ids.verify-column=orders.id")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(KeySpaceRegressionException.class)
				.hasMessageContainingAll("node 0 has never reserved a time",
						"orders.id (ids.verify-column) holds 4611686018427387904", "Stop all instances"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders.id", "public.orders.id", "PUBLIC.Orders.ID" })
	void findsTheColumnWithOrWithoutASchemaAndInAnyCase(String column) {
		this.database.execute("create table orders (id integer primary key)", "insert into orders values (7)");
		this.contextRunner.withPropertyValues("ids.verify-column=" + column)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(KeySpaceRegressionException.class)
				.hasMessageContaining(column + " (ids.verify-column) holds 7"));
	}

	/**
	 * The names of the tables and columns are reserved words. The name of the first table
	 * has the case that the database uses for unquoted names, and the name of the second
	 * has mixed case.
	 */
	@ParameterizedTest
	@FewInvocations(2)
	@Databases
	void columnIsVerifiedIfColumnAndTableNamesAreReservedWords(TestDatabase.Kind kind) {
		boolean upperCase = kind != TestDatabase.Kind.POSTGRESQL && kind != TestDatabase.Kind.MARIADB
				&& kind != TestDatabase.Kind.MYSQL_DRIVER;
		assertVerified(kind, upperCase ? "ORDER" : "order", upperCase ? "GROUP" : "group", "order.group");
		assertVerified(kind, "Order", "group", "Order.group");
	}

	private void assertVerified(TestDatabase.Kind kind, String table, String column, String property) {
		String quote = kind.name().startsWith("M") ? "`" : "\"";
		TestDatabase database = kind.create();
		database.execute(
				("create table " + quote + table + quote + " (" + quote + column + quote + " bigint primary key)"),
				"insert into " + quote + table + quote + " values (7)");
		assertVerified(database, property);
	}

	private ApplicationContextRunner runner(TestDatabase database, String property) {
		// by default, Spring Boot connects to embedded databases as user sa, and Derby
		// would use the schema of that user
		String username = database.username().isEmpty() ? "APP" : database.username();
		return this.contextRunner.withPropertyValues("spring.datasource.url=" + database.url(),
				"spring.datasource.username=" + username, "spring.datasource.password=" + database.password(),
				"ids.jdbc.initialize-schema=always", "ids.verify-column=" + property);
	}

	private void assertVerified(TestDatabase database, String property) {
		runner(database, property).run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.rootCause()
			.isInstanceOf(KeySpaceRegressionException.class)
			.hasMessageContaining(property + " (ids.verify-column) holds 7"));
	}

	@ParameterizedTest
	@Databases({ Kind.H2, Kind.HSQLDB, Kind.DERBY, Kind.POSTGRESQL })
	void schemaWhoseNameIsAReservedWordIsFound(TestDatabase.Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create schema \"Select\"", "create table \"Select\".items (\"Id\" bigint primary key)",
				"insert into \"Select\".items values (7)");
		assertVerified(database, "Select.items.Id");
	}

	@ParameterizedTest
	@FewInvocations(2)
	@Databases({ Kind.H2, Kind.HSQLDB, Kind.DERBY, Kind.POSTGRESQL, Kind.MARIADB })
	void prefersTheExactNameAndRejectsAnAmbiguousOne(TestDatabase.Kind kind) {
		String quote = kind == TestDatabase.Kind.MARIADB ? "`" : "\"";
		TestDatabase database = kind.create();
		for (String table : new String[] { "Item", "item", "ITEM" }) {
			database.execute(
					"create table " + quote + table + quote + " (" + quote + "id" + quote + " bigint primary key)");
		}
		database.execute("insert into " + quote + "Item" + quote + " values (7)");
		assertVerified(database, "Item.id");
		runner(database, "item.id").run((context) -> assertThat(context).hasNotFailed());
		runner(database, "iTEM.id").run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.rootCause()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContaining("ids.verify-column is 'iTEM.id', which could be any of"));
	}

	@ParameterizedTest
	@Databases({ Kind.MARIADB, Kind.MYSQL_DRIVER })
	void findsAColumnInAnotherDatabaseOfTheServer(TestDatabase.Kind kind) {
		TestDatabase otherDatabase = kind.create();
		otherDatabase.execute("create table `Order` (`Group` bigint primary key)", "insert into `Order` values (7)");
		String name = new JdbcTemplate(otherDatabase.pool(1)).queryForObject("select database()", String.class);
		assertVerified(kind.create(), name + ".Order.group");
	}

	@ParameterizedTest
	@Databases({ Kind.H2, Kind.SQLITE, Kind.MARIADB })
	void columnThatDoesNotExistCausesAWarning(TestDatabase.Kind kind, CapturedOutput output) {
		TestDatabase database = kind.create();
		database.execute("create table orders (id bigint primary key)");
		runner(database, "orders.number").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("The column named in ids.verify-column could not be read");
	}

	@ParameterizedTest
	@FewInvocations(2)
	@CsvSource(delimiter = ';', value = {
			"POSTGRESQL; citext; alter table \"public\".\"codes\" alter column \"code\" type text collate \"C\"",
			"POSTGRESQL; varchar(6) collate blind; alter table \"public\".\"codes\" alter column \"code\" type varchar(6) collate \"C\"",
			"MYSQL_DRIVER; varchar(6) character set latin1; alter table `codes` modify `code` varchar(6) character set latin1 collate latin1_bin DEFAULT NULL",
			"H2; varchar_ignorecase(6); alter table \"PUBLIC\".\"CODES\" alter column \"CODE\" set data type varchar(6)" })
	void mixedCaseStringsNeedACaseSensitiveColumn(TestDatabase.Kind kind, String type, String expectedDdl,
			CapturedOutput output) {
		TestDatabase database = kind.create();
		if (kind == TestDatabase.Kind.POSTGRESQL) {
			database.execute("create extension citext",
					"create collation blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false)");
		}
		database.execute("create table codes (code " + type + ")");
		String alter = (kind != TestDatabase.Kind.MYSQL_DRIVER) ? expectedDdl : expectedDdl.replace("`codes`", "`"
				+ new JdbcTemplate(database.pool(1)).queryForObject("select database()", String.class) + "`.`codes`");
		ApplicationContextRunner runner = runner(database, "codes.code").withPropertyValues("ids.strategy=coprime");
		runner.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.rootCause()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContainingAll("codes.code (ids.verify-column) does not tell upper and lower case apart",
					"Run: " + alter + ";"));
		runner.withPropertyValues("ids.coprime.alphabet=base36", "ids.key-space=lower")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("IdColumn - codes.code");
		// if the table has rows, the problem causes only a warning
		database.execute("insert into codes values ('taken')");
		runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("IdColumn - codes.code (ids.verify-column) does not tell upper and lower case apart");
		database.execute(alter);
		runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("IdColumn - codes.code");
	}

	@Test
	void tableThatDoesNotExistYetCausesAWarning(CapturedOutput output) {
		this.contextRunner.withPropertyValues("ids.verify-column=orders.id").run((context) -> {
			assertThat(context.getBean(IdGenerator.class).nextLong()).isOne();
			assertThat(output)
				.containsOnlyOnce("The column named in ids.verify-column could not be read, so the application"
						+ " did not check whether the store went backwards while the application was down: Cannot read orders.id:");
		});
	}

	@Test
	void verifiesTheColumnAfterTheScriptsOfTheApplication(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("ids.verify-column=orders.id",
					"spring.sql.init.schema-locations=classpath:dev/idspring/autoconfigure/verify-column.sql")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("orders.id (ids.verify-column) holds 7"));
		assertThat(output).doesNotContain("could not be read");
	}

	@Test
	void namedGeneratorDoesNotInheritTheColumn() {
		this.database.execute("create table orders (id bigint primary key)");
		this.contextRunner.withPropertyValues("ids.verify-column=orders.id", "ids.generators.other.strategy=sequential")
			.run((context) -> context.getBean("otherIdGenerator", IdGenerator.class).nextLong());
		this.database.execute("insert into orders values (2000)");
		this.contextRunner.withPropertyValues("ids.generators.orders.verify-column=orders.id")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("ids.generators.orders.verify-column"));
		this.contextRunner.withPropertyValues("ids.verify-column=orders.id")
			.run((context) -> assertThat(context).hasFailed());
		this.database.execute("update ids_key_space set next_ordinal = 2000 where name = 'default'");
		this.contextRunner.withPropertyValues("ids.verify-column=orders.id", "ids.generators.other.strategy=sequential")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void noneDisablesTheVerification() {
		this.database.execute("create table orders (id bigint primary key)", "insert into orders values (7)");
		this.contextRunner.withPropertyValues("ids.verify-column=none")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void columnIsRejectedWhenTheStoreIsNotADatabase() {
		this.contextRunner.withPropertyValues("ids.store=memory", "ids.generators.orders.verify-column=orders.id")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining(
						"ids.generators.orders.verify-column is set, but the column can be read only through the"
								+ " connection of the JDBC store, and the key spaces are in another store"));
	}

	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(value = TestDatabase.Kind.class, names = { "H2", "POSTGRESQL", "MARIADB" })
	void concurrentInsertsByOtherInstancesDoNotMakeStartupFail(TestDatabase.Kind kind) {
		String[] properties = { "ids.strategy=sequential", "ids.verify-column=orders.id", "ids.block.size=1",
				"ids.block.max-size=1" };
		try (Instances instances = new Instances(kind.create())) {
			JdbcTemplate jdbc = instances.jdbc();
			jdbc.execute("create table orders (id bigint primary key)");
			IdGenerator ids = instances.generator(properties);
			AtomicBoolean stopped = new AtomicBoolean();
			CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> {
				while (!stopped.get()) {
					jdbc.update("insert into orders (id) values (?)", ids.nextLong());
				}
			});
			for (int i = 0; i < STARTS; i++) {
				instances.start(properties).close();
			}
			stopped.set(true);
			inserting.join();
		}
	}

}
