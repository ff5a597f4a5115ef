package dev.idspring.tools.doctor;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.tools.doctor.Finding.Code;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of how {@link Doctor} examines the types of key columns and of the columns that
 * refer to them, and of its statements that widen these columns.
 */
class DoctorColumnTypeTests extends AbstractDoctorTests {

	@ParameterizedTest
	@Databases({ Kind.MARIADB, Kind.MYSQL_DRIVER })
	void unsignedTypesHaveALargerRange(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			TestDatabase.execute(pool, "create table orders (id int unsigned not null auto_increment primary key)",
					"insert into orders values (4200000000)");
			List<Finding> findings = DOCTOR.examine(KeyColumns.read(pool, TIMEOUT), List.of());
			assertThat(findings).singleElement().satisfies((finding) -> {
				assertThat(finding.code()).isEqualTo(Code.LITTLE_LEFT);
				assertThat(finding.what()).isEqualTo("4200000000 of 4294967295 are used.");
			});
		}
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER, Kind.H2 })
	void statementsWidenAWholeChainOfForeignKeys(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create table root (id int not null primary key)",
					"create table middle (id int not null primary key, foreign key (id) references root (id))",
					"create table leaf (id bigint not null primary key, middle int,"
							+ " foreign key (middle) references middle (id))",
					"insert into root values (2147483600)", "insert into middle values (2147483600)");
			List<Finding> findings = findings(pool);
			assertThat(findings).hasSize(2).extracting(Finding::code).containsOnly(Code.LITTLE_LEFT);
			run(pool, findings.stream().filter((one) -> one.where().toLowerCase(Locale.ROOT).endsWith("root.id")));
			assertThat(findings(pool)).isEmpty();
			TestDatabase.execute(pool, "insert into root values (5000000000)", "insert into middle values (5000000000)",
					"insert into leaf values (1, 5000000000)");
		}
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER, Kind.H2 })
	void statementsKeepTheOtherAttributesOfAColumn(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create table parent (id int not null primary key, check (id > 0))",
					"create table child (id bigint primary key, parent int default 2100000000"
							+ (isMysql(kind) ? " invisible" : "")
							+ ", constraint positive check (parent > 1), constraint of_parent foreign key (parent) references parent (id))",
					"insert into parent values (2100000000)");
			List<String> before = schema(kind, pool);
			List<Finding> findings = findings(pool);
			assertThat(findings).hasSize(1);
			run(pool, findings.stream());
			assertThat(schema(kind, pool)).isNotEqualTo(before)
				.isEqualTo(before.stream()
					.map((line) -> line.replace(" int(11)", " bigint(20)")
						.replace(" int ", " bigint ")
						.replaceAll("\\binteger(?=[, ])", "bigint"))
					.toList());
			TestDatabase.execute(pool, "insert into parent values (5000000000)", "insert into child (id) values (1)",
					"insert into parent values (1)");
			assertThatException().isThrownBy(() -> TestDatabase.execute(pool, "insert into parent values (-1)"));
			assertThatException()
				.isThrownBy(() -> TestDatabase.execute(pool, "insert into child (id, parent) values (2, 1)"));
			assertThat(new JdbcTemplate(pool).queryForList("select * from child").get(0))
				.hasSize(isMysql(kind) ? 1 : 2);
		}
	}

	@ParameterizedTest
	@CsvSource({ "bigserial, int, bigint", "serial, smallint, integer" })
	void statementWidensAReferenceToASerialColumn(String type, String narrower, String wider) {
		try (HikariDataSource pool = TestDatabase.postgresql().pool(1)) {
			TestDatabase.execute(pool, "create table parent (id " + type + " primary key)",
					"create table child (id bigint primary key, parent " + narrower + " references parent)");
			List<Finding> findings = findings(pool);
			assertThat(findings).singleElement()
				.satisfies((finding) -> assertThat(finding.remedy()).isEqualTo("Change the column to " + wider + "."));
			run(pool, findings.stream());
			assertThat(findings(pool)).isEmpty();
		}
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.H2 })
	void reportsADomainAsAnObstacle(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(1)) {
			TestDatabase.execute(pool, "create domain positive as int check (value > 0)",
					"create table orders (id positive primary key)", "insert into orders values (2100000000)");
			assertThat(findings(pool)).singleElement().satisfies((finding) -> {
				assertThat(finding.statements()).isEmpty();
				assertThat(finding.remedy())
					.containsIgnoringCase("these obstacles: the type positive of public.orders.id");
			});
		}
	}

	private static boolean isMysql(Kind kind) {
		return kind == Kind.MARIADB || kind == Kind.MYSQL_DRIVER;
	}

	/**
	 * Return the database's description of the tables parent and child.
	 */
	private static List<String> schema(Kind kind, HikariDataSource pool) {
		JdbcTemplate jdbc = new JdbcTemplate(pool);
		return switch (kind) {
			case POSTGRESQL -> jdbc.queryForList("""
					select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
					union all select column_name || ' ' || data_type || ' ' || coalesce(column_default, '')
					from information_schema.columns where table_schema = 'public' order by 1""", String.class);
			case H2 -> jdbc.queryForList("script nodata nosettings", String.class)
				.stream()
				.filter((line) -> !line.startsWith("CREATE USER"))
				.map((line) -> line.toLowerCase(Locale.ROOT).replaceAll("cast\\((.) as bigint\\)", "$1"))
				.toList();
			default -> Stream.of("parent", "child")
				.map((table) -> jdbc.queryForObject("show create table " + table, (row, index) -> row.getString(2)))
				.toList();
		};
	}

}
