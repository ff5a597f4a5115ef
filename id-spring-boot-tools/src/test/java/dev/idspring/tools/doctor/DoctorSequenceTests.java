package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests of how {@link Doctor} finds and examines the sequence or the identity that
 * generates the keys of a column.
 */
class DoctorSequenceTests extends AbstractDoctorTests {

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER, Kind.H2 })
	void readsTheNumberingOfTheColumn(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			TestDatabase.execute(pool, "create table orders (id " + identity(kind) + ", note varchar(10))",
					"insert into orders (note) values ('a')", "insert into orders (note) values ('b')");
			assertThat(KeyColumns.read(pool, TIMEOUT).columns()).singleElement().satisfies((column) -> {
				assertThat(column.end()).isEqualTo(BigInteger.valueOf(Long.MAX_VALUE));
				assertThat(column.highest()).isEqualTo(2);
				assertThat(column.used()).isEqualTo(2);
				assertThat(column.numbering()).extracting(Numbering::identity, Numbering::increment, Numbering::cycles)
					.isEqualTo(tuple(true, 1L, false).toList());
			});
		}
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, bigint, nextval('global_ids')", "POSTGRESQL, bigserial, nextval('global_ids')",
			"MARIADB, bigint, next value for global_ids", "H2, bigint, next value for global_ids" })
	void prefersTheSequenceInTheColumnDefault(Kind kind, String type, String defaultExpression) {
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create sequence global_ids",
					"create table invoice (id " + type + " primary key)", "create sequence invoice_seq start with 1000",
					"alter table invoice alter column id set default " + defaultExpression);
			assertThat(KeyColumns.read(pool, TIMEOUT).columns()).singleElement()
				.satisfies((column) -> assertThat(column.numbering().name()).isEqualToIgnoringCase("global_ids"));
		}
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER, Kind.H2 })
	void rowsInsertedWhileTheDoctorReadsAreNoProblem(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			TestDatabase.execute(pool, "create table first_table (id bigint not null primary key)",
					"create table orders (id " + identity(kind) + ", note varchar(10))",
					"insert into orders (note) values ('a')");
			KeyColumns keys = KeyColumns.read(pool, TIMEOUT, "ids_", (done, all) -> {
				// the sequences have been read, but not the highest numbers
				if (done == all - 1) {
					database.execute("insert into orders (note) values ('b')");
				}
			});
			assertThat(keys.columns()).filteredOn((column) -> column.table().equalsIgnoreCase("orders"))
				.singleElement()
				.satisfies((column) -> assertThat(column.highest()).isEqualTo(2));
			assertThat(DOCTOR.examine(keys, List.of())).isEmpty();
		}
	}

	@Test
	void statementDoesNotRepeatNumbersOfOpenTransactions() throws SQLException {
		TestDatabase database = TestDatabase.postgresql();
		try (HikariDataSource pool = database.pool(2)) {
			TestDatabase.execute(pool, "create table orders (id bigserial primary key, note varchar(10))",
					"insert into orders values (2)");
			List<Finding> findings = findings(pool);
			assertThat(findings).extracting(Finding::code).containsExactly(Code.SEQUENCE_BEHIND);
			try (Connection connection = pool.getConnection()) {
				connection.setAutoCommit(false);
				new JdbcTemplate(new SingleConnectionDataSource(connection, true))
					.queryForList("select nextval('orders_id_seq') from generate_series(1, 5)");
				run(pool, findings.stream());
				connection.rollback();
			}
			assertThat(new JdbcTemplate(pool).queryForObject("insert into orders values (default) returning id",
					Long.class))
				.isEqualTo(6);
		}
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, nextval('capped')", "MARIADB, next value for capped", "H2, next value for capped" })
	void rowsBeyondTheEndOfTheSequenceAreNoProblem(Kind kind, String defaultExpression) {
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create sequence capped maxvalue 1000",
					"create table orders (id bigint default " + defaultExpression + " primary key)",
					"insert into orders values (5000)");
			assertThat(findings(pool)).isEmpty();
			TestDatabase.execute(pool, "insert into orders values (1)");
			assertThat(findings(pool)).singleElement().satisfies((finding) -> {
				assertThat(finding.code()).isEqualTo(Code.SEQUENCE_BEHIND);
				assertThat(finding.statements()).isEmpty();
			});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ";DATABASE_TO_UPPER=false" })
	void exhaustedNumberingsOfH2AreReported(String options) {
		try (HikariDataSource pool = TestDatabase.h2().withUrlSuffix(options).pool(1)) {
			TestDatabase.execute(pool,
					"create table small (id tinyint generated by default as identity primary key, n int)",
					"insert into small (n) select 1 from system_range(1, 127)", "delete from small",
					"create sequence lone maxvalue 2", "select next value for lone", "select next value for lone");
			KeyColumns keys = KeyColumns.read(pool, TIMEOUT);
			assertThat(DOCTOR.examine(keys, List.of()))
				.extracting(Finding::code, (finding) -> finding.where().toLowerCase(Locale.ROOT), Finding::what)
				.containsExactlyInAnyOrder(tuple(Code.LITTLE_LEFT, "public.small.id", "127 of 127 are used."),
						tuple(Code.LITTLE_LEFT, "public.lone", "2 of 2 are used."));
			assertThat(keys.notRead()).isEmpty();
		}
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.H2 })
	void readsATableOfAnotherSchemaWithItsSequenceAndForeignKeys(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create schema sales", "create table orders (id int primary key)",
					"insert into orders values (7)", "create table sales.orders (id " + identity(kind) + ")",
					"insert into sales.orders default values",
					"create table line (id int primary key, order_id bigint references sales.orders (id))");
			boolean upper = kind == Kind.H2;
			QualifiedName name = new QualifiedName(upper ? "SALES" : "sales", upper ? "ORDERS" : "orders");
			assertThat(KeyColumns.read(pool, TIMEOUT, name).columns()).singleElement().satisfies((column) -> {
				assertThat(column.place()).isEqualTo(name);
				assertThat(column.highest()).isEqualTo(1);
				assertThat(column.numbering()).extracting(Numbering::last).isEqualTo(BigInteger.ONE);
				assertThat(column.references()).extracting((reference) -> reference.table().toString())
					.containsExactly(upper ? "PUBLIC.LINE" : "public.line");
			});
		}
	}

	@Test
	void statementNamesASequenceOfAnotherSchemaOnTheSearchPath() {
		TestDatabase database = TestDatabase.postgresql();
		database.execute("create schema app", "create sequence public.shared_ids as integer");
		try (HikariDataSource pool = database.withUrlSuffix("?currentSchema=app,public").pool(1)) {
			TestDatabase.execute(pool, "create table orders (id int default nextval('shared_ids') primary key)",
					"insert into orders values (2100000000)");
			run(pool, findings(pool).stream());
			assertThat(findings(pool)).isEmpty();
		}
	}

	@ParameterizedTest
	@Databases({ Kind.MARIADB, Kind.H2 })
	void sequenceOfAnotherSchemaInADefaultIsNotConfusedWithOneOfThisSchema(Kind kind) {
		TestDatabase database = kind.create();
		TestDatabase other = kind.create();
		try (HikariDataSource pool = database.pool(1); HikariDataSource otherPool = other.pool(1)) {
			String schema = "other";
			if (kind == Kind.MARIADB) {
				schema = new JdbcTemplate(otherPool).queryForObject("select database()", String.class);
			}
			else {
				TestDatabase.execute(pool, "create schema other");
			}
			TestDatabase.execute(pool, "create sequence " + schema + ".numbers", "create sequence numbers",
					"create table orders (id bigint default next value for " + schema + ".numbers primary key)",
					"insert into orders values (5)");
			KeyColumns keys = KeyColumns.read(pool, TIMEOUT);
			assertThat(DOCTOR.examine(keys, List.of())).isEmpty();
			assertThat(keys.notRead()).singleElement().asString().contains("it is in another schema");
		}
	}

	@Test
	void namesASequenceOfAnotherSchemaByItsOwnSchema() {
		TestDatabase database = TestDatabase.postgresql();
		database.execute("create schema app", "create sequence public.shared_ids maxvalue 100",
				"select setval('public.shared_ids', 99)");
		try (HikariDataSource pool = database.withUrlSuffix("?currentSchema=app,public").pool(1)) {
			TestDatabase.execute(pool,
					"create table orders (id bigint default nextval('shared_ids') * 10 primary key)");
			assertThat(findings(pool)).singleElement().extracting(Finding::where).isEqualTo("public.shared_ids");
			run(pool, findings(pool).stream());
			assertThat(findings(pool)).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, nextval('\"order.numbers\"')", "MARIADB, next value for `order.numbers`",
			"H2, next value for \"order.numbers\"" })
	void sequenceNameMayContainADot(Kind kind, String defaultExpression) {
		String name = (kind == Kind.MARIADB) ? "`order.numbers`" : "\"order.numbers\"";
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create sequence " + name + " start with 980 maxvalue 1000",
					"create table orders (id bigint default " + defaultExpression + " primary key)",
					"insert into orders values (990)");
			assertThat(findings(pool)).extracting(Finding::code)
				.containsExactly(Code.SEQUENCE_BEHIND, Code.LITTLE_LEFT);
			run(pool, findings(pool).stream());
			assertThat(findings(pool)).isEmpty();
		}
	}

	@Test
	void sequenceMayHaveTheNameOfATableWithAnIdentity() {
		try (HikariDataSource pool = TestDatabase.h2().pool(1)) {
			TestDatabase.execute(pool, "create table orders (id bigint generated by default as identity primary key)",
					"create sequence orders start with 99 maxvalue 100");
			assertThat(findings(pool)).singleElement().satisfies((finding) -> {
				assertThat(finding.code()).isEqualTo(Code.LITTLE_LEFT);
				assertThat(finding.where()).isEqualTo("PUBLIC.ORDERS");
			});
			run(pool, findings(pool).stream());
			assertThat(findings(pool)).isEmpty();
		}
	}

}
