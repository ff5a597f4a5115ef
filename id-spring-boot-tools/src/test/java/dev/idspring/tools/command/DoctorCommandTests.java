package dev.idspring.tools.command;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.tools.columns.IdsColumnsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.tools.command.CommandLine.Result;
import dev.idspring.testsupport.Databases;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DoctorCommand}.
 */
class DoctorCommandTests {

	// not on Derby, where Spring Boot connects as another user with a separate schema
	@ParameterizedTest
	@Databases(except = Kind.DERBY)
	void findingsSetTheExitCode(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table orders (id bigint not null primary key)", "insert into orders values (7)");
		Result clean = run(database);
		assertThat(clean.exitCode()).as(clean.out()).isZero();
		assertThat(clean.out()).contains("No problem was found.")
			.containsIgnoringCase("orders.id ")
			.contains("7 of 9223372036854775807 used (0.0000 %, according to the column's index");
		database.execute("create table keyless (id bigint)");
		Result found = run(database);
		assertThat(found.exitCode()).as(found.out()).isEqualTo(1);
		assertThat(found.out()).contains("1 finding:").containsPattern("\\[NO_KEY] (\\w+\\.)?(?i:keyless): ");
		Result json = run(database, "ids.output=json");
		assertThat(JsonPath.<List<Map<String, String>>>read(json.out(), "$.findings")).singleElement()
			.satisfies((finding) -> assertThat(finding).containsEntry("code", "NO_KEY"));
		assertThat(JsonPath.<List<Integer>>read(json.out(), "$.columns[*].highest")).containsExactly(7);
	}

	@Test
	void namesTheReasonIfTheDatabaseRejectsTheUser() {
		Result result = run(TestDatabase.postgresql(), "spring.datasource.username=nobody1");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).startsWith("The command could not run: the database rejects the user or the password")
			.doesNotContain("nobody1", "Exception");
	}

	/**
	 * A sequence that matches only by its name contributes no number.
	 */
	@Test
	void showsWhereTheNumbersOfAColumnWereFound() {
		TestDatabase database = TestDatabase.postgresql();
		database.execute("create table orders (id bigint not null primary key)", "insert into orders values (7)",
				"create sequence orders_seq", "select setval('orders_seq', 3)",
				"create table drawn (id bigint generated always as identity primary key)",
				"insert into drawn default values", "delete from drawn",
				"create table empty (id bigint not null primary key)");
		assertThat(run(database).out())
			.contains(" 7 of 9223372036854775807 used (0.0000 %, according to the column's index),"
					+ " sequence orders_seq (increment 1, owner ", ", not known to be used by the column)")
			.contains(".drawn.id int8: 1 of 9223372036854775807 used (0.0000 %, according to the column's identity),"
					+ " identity drawn_id_seq")
			.contains(".empty.id int8: 0 of 9223372036854775807 used (0.0000 %, no number was found)");
		assertThat(JsonPath.<List<String>>read(run(database, "ids.output=json").out(), "$.columns[*].relation"))
			.containsExactlyInAnyOrder("NAME", "OWN", null);
	}

	@Test
	void thresholdForLowRemainingIsConfigurable() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table orders (id smallint not null primary key)", "insert into orders values (16000)");
		assertThat(run(database).out()).contains("[SMALL_TYPE] PUBLIC.ORDERS.ID: ");
		assertThat(run(database, "ids.health.low-remaining=60%").out()).contains("[LITTLE_LEFT] PUBLIC.ORDERS.ID: ");
		assertThat(run(database, "ids.health.low-remaining=much").exitCode()).isEqualTo(2);
	}

	@Test
	void leavesOutTheTablesOfTheStoreAndDoesNotReadHibernate() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table orders (id bigint not null primary key)",
				"create table my_key_space (name varchar(10))", "create table my_slot (name varchar(10))",
				"create table member_of (a int, b int, primary key (a, b))");
		Result result = run(database, "ids.jdbc.table-prefix=my_");
		assertThat(result.exitCode()).as(result.out()).isZero();
		assertThat(result.out())
			.contains("Found 2 tables on H2: 1 with a single-column primary key, ",
					"0 without a primary key, and 1 left out.")
			.contains("Left out: PUBLIC.MEMBER_OF: its key has the columns A, B.")
			.contains("Not read: Hibernate's allocationSize and optimizers. To compare them");
	}

	/**
	 * The highest key of a generator that issues its keys in random order says nothing
	 * about how many are left.
	 */
	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.H2 })
	void highestKeyInRandomOrderIsNoProblem(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			new JdbcSchema(pool, "ids_").create();
			TestDatabase.execute(pool, "create table links (id int not null primary key)",
					"insert into links values (2147480000)");
			assertThat(run(database).out()).contains("[LITTLE_LEFT] ");
			TestDatabase.execute(pool,
					"insert into ids_key_space (name, definition, capacity, next_ordinal, next_slot, usage_history)"
							+ " values ('links', 'park-miller modulus=2147483647 multiplier=16807', 2147483646, 1000, 0, '')");
			Result result = run(database);
			assertThat(result.exitCode()).as(result.out()).isZero();
			assertThat(result.out()).contains("Note: [LITTLE_LEFT] ", "key space 'links'");
			TestDatabase.execute(pool,
					"create table numbered (id "
							+ ((kind == Kind.MARIADB) ? "int auto_increment"
									: "int generated by default as identity (start with 2147480000)")
							+ " primary key)");
			TestDatabase.execute(pool,
					"insert into numbered (id) values (" + ((kind == Kind.MARIADB) ? "2147480000" : "default") + ")");
			assertThat(run(database).out()).contains("1 finding:")
				.containsPattern("\\[LITTLE_LEFT] \\S+(?i:numbered.id)");
		}
	}

	@Test
	void showsProgressEveryTwoSecondsOnATerminalOnly() {
		TestTimeSource time = new TestTimeSource();
		ByteArrayOutputStream terminal = new ByteArrayOutputStream();
		KeyColumns.Progress progress = new DoctorCommand(time, new PrintStream(terminal, true)).progress();
		for (int done = 1; done <= 10; done++) {
			time.advance(Duration.ofMillis(900));
			progress.read(done, 10);
		}
		assertThat(terminal.toString().lines()).containsExactly("Read 30 % of the tables", "Read 60 % of the tables",
				"Read 90 % of the tables");
		new DoctorCommand(time, null).progress().read(1, 1);
	}

	@Test
	void cannotRunWithoutADataSource() {
		Result result = CommandLine.run(NoDataSource.class, "doctor");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains("needs the DataSource");
	}

	private static Result run(TestDatabase database, String... properties) {
		return CommandLine.run(Application.class, "doctor",
				Stream
					.concat(Stream.of("spring.datasource.url=" + database.url(),
							"spring.datasource.username=" + database.username(),
							"spring.datasource.password=" + database.password()), Stream.of(properties))
					.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
			IdsAutoConfiguration.class, IdsColumnsAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class NoDataSource {

	}

}
