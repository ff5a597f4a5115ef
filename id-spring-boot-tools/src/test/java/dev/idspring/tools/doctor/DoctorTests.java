package dev.idspring.tools.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.tools.doctor.Doctor.Allocation;
import dev.idspring.tools.doctor.Doctor.Optimizer;
import dev.idspring.tools.doctor.Finding.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link Doctor} on schemas of about forty tables, and with tables that it
 * leaves out or that need no key of their own.
 */
class DoctorTests extends AbstractDoctorTests {

	@ParameterizedTest
	@Databases
	void cleanSchemaHasNoFindings(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			TestDatabase.execute(pool, cleanTables(kind, 40).toArray(String[]::new));
			KeyColumns keys = KeyColumns.read(pool, TIMEOUT);
			assertThat(keys.columns()).hasSize(40)
				.extracting((column) -> column.table().toLowerCase(Locale.ROOT))
				.contains("clean_0", "clean_39");
			assertThat(DOCTOR.examine(keys, List.of())).isEmpty();
			if (hasSequences(kind)) {
				assertThat(keys.notRead()).isEmpty();
			}
			else {
				assertThat(keys.notRead()).isNotEmpty();
			}
		}
	}

	@ParameterizedTest
	@Databases
	void findsEveryProblem(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			List<String> sql = cleanTables(kind, 32);
			if (kind == Kind.POSTGRESQL) {
				sql.add("create collation blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
			}
			sql.addAll(List.of("create table ending (id int not null primary key)",
					"insert into ending values (2100000000)", "create table growing (id int not null primary key)",
					"insert into growing values (300000000)", "create table lacking (id bigint)",
					"create table parent (id bigint not null primary key)",
					"create table child (id bigint not null primary key, parent_id int)",
					"create table drawn (id bigint not null primary key)", "insert into drawn values (1001)",
					"create table texts (id " + caseInsensitiveText(kind) + " not null primary key)",
					"insert into texts values ('0aB1xY')", "create table circle (id bigint not null primary key)"));
			TestDatabase.execute(pool, sql.toArray(String[]::new));
			List<String> expected = new ArrayList<>(
					List.of("ending.id LITTLE_LEFT", "growing.id SMALL_TYPE", "lacking NO_KEY"));
			if (kind == Kind.POSTGRESQL || kind == Kind.H2 || kind == Kind.H2_FILE || kind == Kind.MARIADB) {
				// on MariaDB, numbers in the cache of a sequence would count as drawn
				TestDatabase.execute(pool,
						"create sequence drawn_seq increment by 50" + ((kind == Kind.MARIADB) ? " nocache" : ""),
						"create sequence circle_seq maxvalue 1000000 cycle",
						(kind == Kind.MARIADB) ? "select nextval(drawn_seq)" : (kind == Kind.POSTGRESQL)
								? "select nextval('drawn_seq')" : "select next value for drawn_seq");
				expected
					.addAll(List.of("drawn.id SEQUENCE_BEHIND", "drawn ALLOCATION_SIZE", "circle.id SEQUENCE_CYCLES"));
			}
			if (kind != Kind.DERBY) {
				expected.add("texts.id CASE_BLIND_TEXT");
			}
			if (kind == Kind.H2 || kind == Kind.H2_FILE || kind == Kind.HSQLDB || kind == Kind.SQLITE) {
				// other databases reject a foreign key whose type differs
				TestDatabase.execute(pool, "drop table child",
						"create table child (id bigint not null primary key, parent_id int,"
								+ " foreign key (parent_id) references parent (id))");
				if (kind != Kind.SQLITE) {
					expected.add("child.parent_id NARROW_REFERENCE");
				}
			}
			else if (kind == Kind.POSTGRESQL) {
				TestDatabase.execute(pool, "alter table child add foreign key (parent_id) references parent (id)");
				expected.add("child.parent_id NARROW_REFERENCE");
			}
			if (kind == Kind.SQLITE) {
				// all integers of SQLite have 64 bits
				expected.removeIf((finding) -> finding.startsWith("ending") || finding.startsWith("growing"));
			}
			KeyColumns keys = KeyColumns.read(pool, TIMEOUT);
			String schema = keys.columns().get(0).place().sibling("").toString();
			List<Finding> findings = DOCTOR.examine(keys,
					List.of(new Allocation("drawn", "drawn_seq", 10, Optimizer.POOLED),
							new Allocation("circle", "circle_seq", 1, Optimizer.NONE)));
			assertThat(findings).extracting(
					(finding) -> finding.where().replace(schema, "").toLowerCase(Locale.ROOT) + " " + finding.code())
				.containsExactlyInAnyOrderElementsOf(expected);
			assertThat(findings).allSatisfy((finding) -> {
				assertThat(finding.what()).endsWith(".");
				assertThat(finding.remedy()).endsWith(".");
				if (finding.code() != Code.ALLOCATION_SIZE) {
					assertThat(finding.where()).startsWith(schema);
				}
			});
		}
	}

	@ParameterizedTest
	@Databases
	void leavesOutTheCounterTablesOfHibernate(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create table counter_seq (next_val bigint)");
			assertThat(KeyColumns.read(pool, TIMEOUT).leftOut()).singleElement()
				.asString()
				.containsIgnoringCase("counter_seq: a Hibernate table with a single counter");
		}
	}

	@Test
	void readsNoKeySpacesWithoutATablePrefix() {
		try (HikariDataSource pool = TestDatabase.h2().pool(1)) {
			TestDatabase.execute(pool, "create table nullkey_space (id bigint primary key)");
			assertThat(KeyColumns.read(pool, TIMEOUT).notRead()).isEmpty();
		}
	}

	@Test
	void partitionedTableNeedsNoKeyIfItsPartitionsHaveKeys() {
		try (HikariDataSource pool = TestDatabase.postgresql().pool(1)) {
			TestDatabase.execute(pool, "create table event (id bigint, day int) partition by range (day)",
					"create table event_1 partition of event (primary key (id)) for values from (1) to (2)",
					"create table event_2 partition of event for values from (2) to (9) partition by list (day)",
					"create table event_3 partition of event_2 (primary key (id)) for values in (3)");
			KeyColumns keys = KeyColumns.read(pool, TIMEOUT);
			assertThat(DOCTOR.examine(keys, List.of())).isEmpty();
			assertThat(keys.leftOut())
				.containsExactly("public.event: each of its partitions has a primary key of its own");
			TestDatabase.execute(pool, "create table event_4 partition of event_2 for values in (4)",
					"create table visit (id bigint not null, day int not null unique) partition by range (day)");
			assertThat(findings(pool))
				.extracting(Finding::where, Finding::code, (finding) -> finding.statements().size())
				.containsExactly(tuple("public.event", Code.NO_KEY, 0), tuple("public.visit", Code.NO_KEY, 1));
			run(pool, findings(pool).stream());
			assertThat(findings(pool)).singleElement().extracting(Finding::where).isEqualTo("public.event");
		}
	}

	private static boolean hasSequences(Kind kind) {
		return kind != Kind.DERBY && kind != Kind.HSQLDB && kind != Kind.SQLITE;
	}

	/**
	 * Return the SQL that creates correct tables of every kind: with keys from the
	 * database or from the application, with small numbers in a small type, with text
	 * keys, and with foreign keys.
	 */
	private static List<String> cleanTables(Kind kind, int count) {
		List<String> sql = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			String name = "clean_" + i;
			sql.add(switch (i % 4) {
				case 0 -> "create table " + name + " (id " + identity(kind) + ", note varchar(10))";
				case 1 -> "create table " + name + " (id int not null primary key, note varchar(10))";
				case 2 -> "create table " + name + " (code varchar(20) not null primary key)";
				default -> "create table " + name + " (id bigint not null primary key, other bigint,"
						+ " foreign key (other) references clean_" + (i - 3) + " (id))";
			});
			if (i % 4 == 0) {
				sql.add("insert into " + name + " (note) values ('a')");
				sql.add("insert into " + name + " (note) values ('b')");
			}
			else if (i % 4 == 2) {
				sql.add("insert into " + name + " values ('DE')");
				sql.add("insert into " + name + " values ('fr-CH')");
			}
			else {
				sql.add("insert into " + name + " (id) values (1000)");
			}
		}
		return sql;
	}

	private static String caseInsensitiveText(Kind kind) {
		return switch (kind) {
			case MARIADB, MYSQL_DRIVER -> "varchar(20) character set utf8mb4 collate utf8mb4_general_ci";
			case H2, H2_FILE, HSQLDB -> "varchar_ignorecase(20)";
			case SQLITE -> "varchar(20) collate nocase";
			case POSTGRESQL -> "varchar(20) collate blind";
			default -> "varchar(20)";
		};
	}

}
