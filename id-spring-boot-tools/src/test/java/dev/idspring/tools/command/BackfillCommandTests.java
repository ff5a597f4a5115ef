package dev.idspring.tools.command;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.tools.command.CommandLine.Result;
import dev.idspring.testsupport.ChildProcess;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link BackfillCommand}.
 */
@Tag("mysql")
@ExtendWith(OutputCaptureExtension.class)
class BackfillCommandTests extends AbstractTableCommandTests {

	private static final int ROWS = Integer.getInteger("test.ids.backfill-rows", 10_000);

	@TempDir
	private Path directory;

	BackfillCommandTests() {
		super("backfill");
	}

	@ParameterizedTest
	@CsvSource({ "H2, varchar(20), as text", "POSTGRESQL, varchar(20), as text", "POSTGRESQL, uuid, as uuid",
			"MARIADB, varchar(20) character set ascii collate ascii_bin, as text", "MARIADB, uuid, as uuid",
			"MYSQL_DRIVER, binary(16), as uuid", "H2, uuid, as uuid", "H2, bigint, as number",
			"HSQLDB, varchar(20), as text", "SQLITE, varchar(20), as text" })
	@FewInvocations(4)
	void fillsEveryRowOnce(Kind kind, String type, String form) {
		create(kind, type, 1_234);
		jdbc().update("delete from orders where id = 7");
		Result plan = run();
		assertThat(plan.out()).contains("Would fill", form, "500 rows per transaction and at most 5000 rows per second",
				"Nothing has been changed");
		assertThat(countRowsWithoutId()).isEqualTo(1_233);
		Result done = run("ids.backfill.confirm=true", "ids.backfill.rate=0", "ids.backfill.batch=100",
				"ids.output=json");
		assertThat(done.exitCode()).as(done.out()).isZero();
		assertThat(JsonPath.<Integer>read(done.out(), "$.filled")).isEqualTo(1_233);
		assertThat(countRowsWithoutId()).isZero();
		List<String> ddl = JsonPath.read(done.out(), "$.ddl");
		if (kind != Kind.SQLITE) {
			// with a duplicate, this DDL would fail
			execute(ddl.toArray(String[]::new));
		}
		assertThat(jdbc().queryForObject("select count(distinct public_id) from orders", Long.class)).isEqualTo(1_233);
		assertThat(run("ids.backfill.confirm=true").out()).contains("Filled 0 rows");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"MARIADB | binary(16) | x'00000000000000000000000000000001' | x'000000000000000000000000000000ff'",
			"MYSQL_DRIVER | binary(16) | x'00000000000000000000000000000001' | x'000000000000000000000000000000ff'",
			"POSTGRESQL | bytea | '\\x01' | '\\xff'", "H2 | binary(2) | x'0001' | x'00ff'",
			"MARIADB | uuid | '00000000-0000-4000-8000-000000000001' | '00000000-0000-4000-8000-0000000000ff'",
			"POSTGRESQL | uuid | '00000000-0000-4000-8000-000000000001' | '00000000-0000-4000-8000-0000000000ff'",
			"H2 | uuid | '00000000-0000-4000-8000-000000000001' | '00000000-0000-4000-8000-0000000000ff'",
			"MARIADB | tinyint(1) | 2 | 3", "MYSQL_DRIVER | tinyint(1) | 2 | 3",
			"MARIADB | datetime(6) | '2026-01-01 00:00:00' | '2026-01-01 00:00:00.5'",
			"POSTGRESQL | timestamp | '2026-01-01 00:00:00' | '2026-01-01 00:00:00.5'",
			"H2 | timestamp | '2026-01-01 00:00:00' | '2026-01-01 00:00:00.5'" })
	void fillsRowsWithAnyTypeOfKey(Kind kind, String type, String first, String second) {
		create(kind, "varchar(20)", 0);
		boolean mysql = kind == Kind.MARIADB || kind == Kind.MYSQL_DRIVER;
		execute("drop table orders",
				"create table orders (id " + type + " not null primary key, public_id varchar(20)"
						+ (mysql ? " character set ascii collate ascii_bin" : "") + ")",
				"insert into orders (id) values (" + first + "), (" + second + ")");
		Result done = run("ids.backfill.confirm=true", "ids.backfill.batch=1");
		assertThat(done.out()).contains("Filled 2 rows");
		assertThat(countRowsWithoutId()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "H2, clob", "POSTGRESQL, text" })
	void fillsColumnsForLongText(Kind kind, String type) {
		create(kind, type, 3);
		assertThat(run("ids.backfill.confirm=true", "ids.backfill.form=text").out()).contains("Filled 3 rows");
	}

	@Test
	void keepsExistingValues() {
		create(Kind.H2, "varchar(20)", 100);
		jdbc().update("update orders set public_id = 'mine' where id = 50");
		assertThat(run("ids.backfill.confirm=true").out()).contains("Filled 99 rows");
		assertThat(jdbc().queryForObject("select public_id from orders where id = 50", String.class)).isEqualTo("mine");
	}

	@ParameterizedTest
	@CsvSource({ "MARIADB, varchar(20)", "H2, varchar_ignorecase(20)" })
	void caseInsensitiveColumnAcceptsOnlyIdsInASingleCase(Kind kind, String type) {
		create(kind, type, 100);
		Result rejection = run("ids.backfill.confirm=true");
		assertThat(rejection.exitCode()).isEqualTo(2);
		assertThat(rejection.out()).contains("compares strings regardless of upper and lower case");
		assertThat(countRowsWithoutId()).isEqualTo(100);
		assertThat(run("ids.backfill.confirm=true", "ids.coprime.alphabet=base36", "ids.key-space=others").out())
			.contains("Filled 100 rows");
	}

	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "H2", "MARIADB" })
	void prefersExactNamesAndRejectsAmbiguousOnes(Kind kind) {
		create(kind, "varchar(20)" + (kind == Kind.MARIADB ? " character set ascii collate ascii_bin" : ""), 1);
		String quote = (kind == Kind.MARIADB) ? "`" : "\"";
		for (String table : List.of("Item", "item")) {
			execute("create table #Item# (id int primary key, #Code# varchar(20), other varchar(20))"
				.replace("Item", table)
				.replace("#", quote), "insert into #Item# (id) values (1)".replace("Item", table).replace("#", quote));
		}
		Result rejection = run("ids.backfill.table=ITEM", "ids.backfill.column=code", "ids.backfill.confirm=true");
		assertThat(rejection.exitCode()).isEqualTo(2);
		assertThat(rejection.out()).contains("ids.backfill.table is 'ITEM', which could be any of", ".Item", ".item");
		Result done = run("ids.backfill.table=Item", "ids.backfill.column=code", "ids.backfill.confirm=true");
		assertThat(done.out()).contains("Filled 1 row of ");
		assertThat(jdbc().queryForObject("select count(*) from #item# where #Code# is null".replace("#", quote),
				Long.class))
			.as("the other table")
			.isOne();
	}

	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "H2" })
	void tableInAnotherSchemaIsFilled(Kind kind) {
		create(kind, "varchar(20)", 1);
		execute("create schema sales",
				"create table sales.orders (id bigint not null primary key, public_id varchar(20))",
				"insert into sales.orders (id) values (1), (2)");
		assertThat(run("ids.backfill.table=sales.orders").out()).containsIgnoringCase("sales.orders.public_id");
		assertThat(run("ids.backfill.table=sales.orders", "ids.backfill.confirm=true").out()).contains("Filled 2 rows");
		assertThat(countRowsWithoutId()).as("in the current schema").isOne();
	}

	@ParameterizedTest
	@CsvSource({ "MARIADB, varchar(7), text, can hold 7 characters at most",
			"H2, varchar(7), text, can hold 7 characters at most", "POSTGRESQL, int, number, 2147483647 at most",
			"H2, varchar(35), uuid, too short for UUIDs" })
	void rejectsAColumnThatIsTooNarrowForTheWidestId(Kind kind, String type, String form, String message) {
		create(kind, type + ((kind == Kind.MARIADB) ? " character set ascii collate ascii_bin" : ""), 5);
		Result rejection = run("ids.backfill.confirm=true", "ids.backfill.form=" + form);
		assertThat(rejection.exitCode()).isEqualTo(2);
		assertThat(rejection.out()).contains(message).containsIgnoringCase("orders.public_id");
		assertThat(countRowsWithoutId()).isEqualTo(5);
	}

	@ParameterizedTest
	@CsvSource({ "H2, date, , DATE, number", "H2, boolean, number, BOOLEAN, number", "H2, varchar(40), number,, number",
			"H2, bigint, text, BIGINT, text", "H2, bigint, uuid, BIGINT, uuid", "H2, uuid, text, UUID, text",
			"POSTGRESQL, varchar(40), number, varchar, number", "POSTGRESQL, jsonb, uuid, jsonb, uuid",
			"MARIADB, datetime, , DATETIME, number" })
	void planRejectsAColumnWhoseTypeDoesNotFitTheForm(Kind kind, String type, String form, String typeName,
			String usedForm) {
		create(kind, type, 5);
		Result rejection = run("ids.backfill.form=" + ((form != null) ? form : ""));
		assertThat(rejection.exitCode()).as(rejection.out()).isEqualTo(2);
		assertThat(rejection.out()).containsIgnoringCase("orders.public_id, whose type ")
			.contains(((typeName != null) ? typeName : "") + " does not fit ids.backfill.form=" + usedForm,
					"to number for a column of whole numbers");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "ids.backfill.generator=nope | ids.backfill.generator is 'nope'",
					"ids.backfill.generator=bills | ids.backfill.generator is 'bills', whose strategy is gapless",
					"ids.backfill.generator=tenants | ids.backfill.generator is 'tenants', whose numbers have scopes",
					"ids.store=memory | ids.store is memory, which remembers nothing" })
	void planRejectsAGeneratorThatCannotFillRows(String property, String message) {
		create(Kind.H2, "bigint", 5);
		Result rejection = run(property, "ids.generators.bills.strategy=gapless",
				"ids.generators.tenants.strategy=gapless", "ids.generators.tenants.scoped=true");
		assertThat(rejection.exitCode()).as(rejection.out()).isEqualTo(2);
		assertThat(rejection.out()).contains(message);
	}

	@Test
	void withoutAStoreItRunsOnlyWithTheSettingsThatTheRejectionNames() {
		create(Kind.H2, "bigint", 5);
		String[] nodeOfInstance = { "ids.store=none", "ids.strategy=snowflake", "ids.node.source=fixed",
				"ids.node.id=1" };
		Result rejection = run(nodeOfInstance);
		assertThat(rejection.exitCode()).as(rejection.out()).isEqualTo(2);
		assertThat(rejection.out()).contains("ids.store is none", "Run the command with --ids.store=jdbc,"
				+ " --ids.node.source=fixed and, in --ids.node.id=, a number that no instance has.");
		assertThat(run("ids.store=jdbc", "ids.strategy=snowflake", "ids.node.source=fixed", "ids.node.id=2",
				"ids.backfill.confirm=true")
			.out()).contains("Filled 5 rows");
	}

	@Test
	void addsNotNullBeforeTheCheckOfAColumn() {
		create(Kind.MARIADB,
				"varchar(20) character set ascii collate ascii_bin comment 'the id' check (public_id > '')", 5);
		execute(ddl());
		String definition = jdbc().queryForObject("show create table orders", (row, index) -> row.getString(2));
		assertThat(definition).containsPattern("`public_id` varchar\\(20\\) .*NOT NULL COMMENT 'the id' CHECK \\(")
			.contains("UNIQUE KEY");
	}

	@Test
	void columnOfAPartitionedTableBecomesNotNullButNotUnique() {
		create(Kind.POSTGRESQL, "varchar(20)", 1);
		execute("create table visit (id bigint primary key, code varchar(20)) partition by hash (id)",
				"create table visit_0 partition of visit for values with (modulus 1, remainder 0)",
				"insert into visit (id) values (1)");
		execute(ddl("ids.backfill.table=visit", "ids.backfill.column=code"));
		assertThat(jdbc().queryForObject(
				"select attnotnull from pg_attribute where attrelid = 'visit'::regclass and attname = 'code'",
				Boolean.class))
			.isTrue();
	}

	@Test
	void constraintsOfTwoColumnsWithLongNamesHaveDifferentNames() {
		create(Kind.POSTGRESQL, "varchar(20)", 1);
		String table = "kündigungen_größerer_geschäftskunden_nach_der_frist";
		execute("create table " + table + " (id int primary key, external_reference_a varchar(20),"
				+ " external_reference_b varchar(20))", "insert into " + table + " (id) values (1)");
		execute(ddl("ids.backfill.table=" + table, "ids.backfill.column=external_reference_a"));
		execute(ddl("ids.backfill.table=" + table, "ids.backfill.column=external_reference_b"));
		assertThat(jdbc().queryForList("select indexname from pg_indexes where tablename = ?", String.class, table))
			.hasSize(3);
	}

	@ParameterizedTest
	@CsvSource({ "H2, \"", "POSTGRESQL, \"", "MARIADB, `" })
	void fillsAColumnWhoseNameContainsAQuote(Kind kind, String quote) {
		create(kind, "varchar(20)", 1);
		String name = "my" + quote + "id";
		execute("alter table orders add column " + quote + name.replace(quote, quote + quote) + quote + " varchar(20)"
				+ ((kind == Kind.MARIADB) ? " character set ascii collate ascii_bin" : ""));
		execute(ddl("ids.backfill.column=" + name));
	}

	@Test
	void planListsTheChecksThatNeedAKeySpace() {
		create(Kind.H2, "varchar(35)", 5);
		assertThat(run("ids.backfill.form=uuid").out()).contains("too short for UUIDs");
		assertThat(run("ids.backfill.form=text").out()).contains("Not verified yet: whether the column is wide enough");
		assertThat(jdbc().queryForObject("select count(*) from ids_key_space", Long.class)).isZero();
	}

	@Test
	void rollsBackABatchThatTheDatabaseStoredDifferently() {
		create(Kind.MARIADB, "varchar(20) character set ascii collate ascii_bin", 300);
		jdbc().execute("create trigger cut before update on orders for each row set new.public_id = 'same'");
		Result rejection = run("ids.backfill.confirm=true", "ids.backfill.batch=100");
		assertThat(rejection.exitCode()).as(rejection.out()).isEqualTo(2);
		assertThat(rejection.out()).contains("orders.public_id, which contains same instead of",
				"This batch was rolled back");
		assertThat(countRowsWithoutId()).isEqualTo(300);
	}

	@Test
	void opensOnlyTheKeySpaceOfTheRequestedGenerator() {
		create(Kind.H2, "varchar(20)", 3);
		Result done = run("ids.backfill.confirm=true", "ids.backfill.generator=public",
				"ids.generators.public.coprime.length=9", "ids.generators.others.strategy=sequential");
		assertThat(done.exitCode()).as(done.out()).isZero();
		assertThat(jdbc().queryForList("select name from ids_key_space", String.class)).containsExactly("public");
	}

	@Test
	void progressHasRateAndRemainingTime(CapturedOutput output) {
		create(Kind.H2, "varchar(20)", 60);
		jdbc().update("update orders set public_id = 'mine' where id > 50");
		assertThat(run().out()).contains("in 50 rows");
		new ApplicationContextRunner().withUserConfiguration(SkipAheadCommandTests.Application.class)
			.withPropertyValues(properties().toArray(String[]::new))
			.withPropertyValues("ids.backfill.confirm=true", "ids.backfill.rate=1", "ids.backfill.batch=10")
			.run((context) -> new BackfillCommand(new SteppedClock())
				.run(new CommandContext(context.getSourceApplicationContext())));
		assertThat(output).contains("Filled 20 of about 50 rows, up to key 20, 2 rows per second, 15s remain");
	}

	@Test
	void doesNotExceedTheConfiguredRate() {
		create(Kind.H2, "varchar(20)", 60);
		SteppedClock time = new SteppedClock();
		new ApplicationContextRunner().withUserConfiguration(SkipAheadCommandTests.Application.class)
			.withPropertyValues(properties().toArray(String[]::new))
			.withPropertyValues("ids.backfill.confirm=true", "ids.backfill.rate=100", "ids.backfill.batch=10")
			.run((context) -> {
				CommandContext application = new CommandContext(context.getSourceApplicationContext());
				assertThat(new BackfillCommand(time).run(application).text()).startsWith("Filled 60 rows");
			});
		assertThat(time.passed).isEqualTo(Duration.ofMillis(600));
	}

	@Test
	void fillsARowThatWasInsertedDuringAPassInWhichTheApplicationFilledAllOthers() {
		create(Kind.H2, "varchar(20)", 1);
		AtomicBoolean begun = new AtomicBoolean();
		Runnable application = () -> {
			if (begun.compareAndSet(false, true)) {
				jdbc().update("update orders set public_id = 'mine'");
				jdbc().update("insert into orders (id) values (0)");
			}
		};
		new ApplicationContextRunner().withUserConfiguration(SkipAheadCommandTests.Application.class)
			.withPropertyValues(properties().toArray(String[]::new))
			.withPropertyValues("ids.backfill.confirm=true")
			.withBean(BeanPostProcessor.class, () -> new BeforeTransactions(application))
			.run((context) -> {
				CommandContext command = new CommandContext(context.getSourceApplicationContext());
				assertThat(new BackfillCommand(new SteppedClock()).run(command).text()).startsWith("Filled 1 row");
			});
		assertThat(begun).isTrue();
		assertThat(countRowsWithoutId()).isZero();
	}

	@Test
	void failsIfTheDatabaseIgnoresTheUpdateOfARow() {
		create(Kind.SQLITE, "varchar(20)", 3);
		jdbc().execute(
				"create trigger frozen before update on orders when old.id = 2" + " begin select raise(ignore); end");
		Result result = run("ids.backfill.confirm=true");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains("still null in the row with the key 2", "Look for a trigger");
		assertThat(countRowsWithoutId()).isOne();
	}

	@Test
	@Tag("wide")
	void continuesAfterTheProcessWasKilled() throws Exception {
		create(Kind.POSTGRESQL, "varchar(20)", ROWS);
		Process first = start();
		await().atMost(10, TimeUnit.MINUTES).until(() -> ROWS - countRowsWithoutId() >= ROWS / 3 || !first.isAlive());
		assertThat(first.isAlive()).as("still running when it is killed").isTrue();
		first.destroyForcibly().waitFor();
		assertThat(countRowsWithoutId()).isPositive();
		jdbc().execute("create table before_last as select id, public_id from orders where public_id is not null");
		Process second = start();
		assertThat(second.waitFor(10, TimeUnit.MINUTES)).isTrue();
		assertThat(second.exitValue()).isZero();
		assertThat(countRowsWithoutId()).isZero();
		assertThat(jdbc().queryForObject("select count(distinct public_id) from orders", Long.class)).isEqualTo(ROWS);
		assertThat(jdbc().queryForObject(
				"select count(*) from before_last b join orders o on o.id = b.id where o.public_id <> b.public_id",
				Long.class))
			.isZero();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ids.backfill.table= | ids.backfill.table is not set",
			"ids.backfill.column= | ids.backfill.column is not set",
			"ids.backfill.generator= | ids.backfill.generator is not set",
			"ids.backfill.table=nope | ids.backfill.table is 'nope'",
			"ids.backfill.column=nope | ids.backfill.column is 'nope'", "ids.backfill.generator=nope | nope",
			"ids.backfill.batch=0 | ids.backfill.batch is 0", "ids.backfill.batch=10001 | ids.backfill.batch is 10001",
			"ids.backfill.rate=-1 | ids.backfill.rate is -1" })
	void reportsWhyItCannotRun(String property, String message) {
		create(Kind.H2, "varchar(20)", 1);
		Result result = run(property, "ids.backfill.confirm=true");
		assertThat(result.exitCode()).as(result.out()).isEqualTo(2);
		assertThat(result.out()).contains(message);
	}

	private Process start() throws Exception {
		// a low rate, so that the process can be killed before it has finished
		return ChildProcess
			.of(Shop.class, Stream
				.concat(Stream.of("ids.command=backfill", "ids.backfill.confirm=true",
						"ids.backfill.rate=" + Math.max(ROWS / 10, 1_000), "ids.backfill.batch=100"), properties())
				.map((property) -> "--" + property)
				.toArray(String[]::new))
			.redirectOutput(this.directory.resolve("out").toFile())
			.redirectErrorStream(true)
			.start();
	}

	private void create(Kind kind, String type, int rows) {
		create(kind, "create table orders (id bigint not null primary key, public_id " + type + ")");
		if (kind == Kind.POSTGRESQL) {
			jdbc().update("insert into orders (id) select * from generate_series(1, ?)", rows);
		}
		else {
			jdbc().batchUpdate("insert into orders (id) values (?)",
					Stream.iterate(1, (id) -> id + 1).limit(rows).map((id) -> new Object[] { id }).toList());
		}
	}

	/**
	 * Fill the column, and return the statements that the command prints.
	 */
	private String[] ddl(String... options) {
		Result done = run(Stream.concat(Stream.of("ids.backfill.confirm=true", "ids.output=json"), Stream.of(options))
			.toArray(String[]::new));
		assertThat(done.exitCode()).as(done.out()).isZero();
		return JsonPath.<List<String>>read(done.out(), "$.ddl").toArray(String[]::new);
	}

	private long countRowsWithoutId() {
		return jdbc().queryForObject("select count(*) from orders where public_id is null", Long.class);
	}

	@Override
	Stream<String> generatorProperties() {
		return Stream.of("ids.strategy=coprime", "ids.coprime.length=8");
	}

	@Override
	Stream<String> options() {
		return Stream.of("ids.backfill.table=orders", "ids.backfill.column=public_id",
				"ids.backfill.generator=default");
	}

	private Stream<String> properties() {
		return Stream.of(connectionProperties(), generatorProperties(), options()).flatMap((stream) -> stream);
	}

	/**
	 * A clock that advances only while a thread sleeps.
	 */
	private static final class SteppedClock implements TimeSource {

		private Duration passed = Duration.ZERO;

		@Override
		public long nanoTime() {
			return this.passed.toNanos();
		}

		@Override
		public Instant instant() {
			return Instant.EPOCH.plus(this.passed);
		}

		@Override
		public void sleep(Duration time) {
			this.passed = this.passed.plus(time);
		}

	}

	/**
	 * Runs an action before each transaction that begins on the DataSource.
	 *
	 * @param action the action
	 */
	private record BeforeTransactions(Runnable action) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean instanceof DataSource dataSource) ? new DelegatingDataSource(dataSource) {

				@Override
				public Connection getConnection() throws SQLException {
					return observe(super.getConnection());
				}

			} : bean;
		}

		private Connection observe(Connection connection) {
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("setAutoCommit") && Boolean.FALSE.equals(arguments[0])) {
							this.action.run();
						}
						return method.invoke(connection, arguments);
					});
		}

	}

	/**
	 * Runs the application in its own process.
	 */
	static class Shop {

		public static void main(String[] args) {
			SpringApplication.run(SkipAheadCommandTests.Application.class, args);
		}

	}

}
