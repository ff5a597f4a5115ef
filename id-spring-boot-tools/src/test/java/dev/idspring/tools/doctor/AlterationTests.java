package dev.idspring.tools.doctor;

import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Alteration}: runs its scripts from top to bottom, and compares the
 * database's description of the schema before and afterwards.
 */
@Tag("mysql")
class AlterationTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final long ABOVE_INT = 5_000_000_000L;

	private HikariDataSource pool;

	private JdbcTemplate jdbc;

	@AfterEach
	void close() {
		if (this.pool != null) {
			this.pool.close();
		}
	}

	@ParameterizedTest
	@Databases({ Kind.MARIADB, Kind.MYSQL_DRIVER })
	void scriptForMariadbChangesOnlyTheType(Kind kind) {
		create(kind,
				"create table p (id int(6) unsigned zerofill not null auto_increment primary key comment 'it''s, a key',"
						+ " tenant int not null, unique (tenant, id)) comment 'parents'",
				"create table m (id int(6) unsigned zerofill not null primary key, note varchar(9) charset utf8mb4 default 'x',"
						+ " changed timestamp default current_timestamp on update current_timestamp,"
						+ " constraint fk_m foreign key (id) references p (id) on delete cascade)",
				"create table leaf (id int not null primary key,"
						+ " m_id int(6) unsigned zerofill default 1 comment 'of m' check (m_id < 9999999999),"
						+ " tenant int, p_id int(6) unsigned zerofill invisible default 1,"
						+ " constraint fk_1 foreign key (m_id) references m (id),"
						+ " constraint fk_2 foreign key (tenant, p_id) references p (tenant, id) on update cascade)",
				"create view v as select id from p", "insert into p (tenant) values (7)",
				"insert into m (id) values (1)", "insert into leaf (id, tenant) values (1, 7)");
		List<String> before = definitions();
		Alteration widening = read("p");
		assertThat(widening.obstacles()).isEmpty();
		run(widening);
		assertThat(definitions()).isEqualTo(before.stream()
			.map((one) -> one.replace(" int(6) unsigned zerofill", " bigint(6) unsigned zerofill"))
			.toList());
		this.jdbc.update("insert into p (id, tenant) values (?, 7)", ABOVE_INT);
		this.jdbc.update("insert into m (id) values (?)", ABOVE_INT);
		this.jdbc.update("insert into leaf (id, m_id, tenant, p_id) values (2, ?, 7, ?)", ABOVE_INT, ABOVE_INT);
		this.jdbc.update("insert into leaf (id, tenant) values (3, 7)");
		assertThat(this.jdbc.queryForObject("select max(id) from v", Long.class)).isEqualTo(ABOVE_INT);
		assertThat(read("p").statements()).as("a second time").isEmpty();
		assertThat(read("p").obstacles()).isEmpty();
	}

	private List<String> definitions() {
		return List.of("p", "m", "leaf")
			.stream()
			.map((table) -> this.jdbc.queryForObject("show create table " + table, (row, index) -> row.getString(2)))
			.toList();
	}

	@Test
	void reportsObstaclesOnMariadb() {
		create(Kind.MARIADB, "create table p (id int not null auto_increment primary key, g int as (id + 1) virtual)",
				"create table child (id int primary key, p_id int, constraint fk_c foreign key (p_id) references p (id))",
				"create table old (id int primary key, p_id int, constraint fk_o foreign key (p_id) references p (id))"
						+ " with system versioning");
		TestDatabase.execute(this.pool, "set foreign_key_checks = 0", "insert into child values (1, 99)",
				"set foreign_key_checks = 1");
		Alteration widening = read("p");
		String schema = this.jdbc.queryForObject("select database()", String.class);
		assertThat(widening.obstacles()).containsExactlyInAnyOrder("generated column g of p",
				"rows of " + schema + ".child whose foreign key fk_c references a missing row",
				"system versioning of " + schema + ".old");
		assertThat(widening.statements()).isEmpty();
	}

	@Test
	void scriptForPostgresqlChangesOnlyTheType() {
		create(Kind.POSTGRESQL, "create schema other",
				"create table p (id serial primary key, tenant int, unique (tenant, id))",
				"create table m (id int primary key, constraint fk_m foreign key (id) references p (id) on delete cascade)",
				"create table leaf (id int primary key, m_id int default 3 not null, tenant int, p_id int,"
						+ " constraint fk_1 foreign key (m_id) references m (id),"
						+ " constraint fk_2 foreign key (tenant, p_id) references p (tenant, id), check (m_id > 0))",
				"create table other.far (p_id int references p (id))", "comment on column leaf.m_id is 'of m'",
				"create index part on leaf ((m_id + 1)) where m_id > 3",
				"create table whole (id int primary key, p_id int references p (id)) partition by hash (id)",
				"create table whole_0 partition of whole for values with (modulus 1, remainder 0)");
		String sql = """
				select pg_get_constraintdef(oid) from pg_constraint where connamespace = current_schema()::regnamespace
				union all select indexdef from pg_indexes where schemaname = current_schema()
				union all select column_default || coalesce(col_description(('other.far')::regclass, 1), '')
				from information_schema.columns where table_schema = current_schema() and column_default is not null
				union all select description from pg_description where objoid = 'leaf'::regclass order by 1""";
		List<String> before = this.jdbc.queryForList(sql, String.class);
		Alteration widening = read("p");
		assertThat(widening.obstacles()).isEmpty();
		run(widening);
		assertThat(this.jdbc.queryForList(sql, String.class)).isEqualTo(before);
		this.jdbc.queryForObject("select setval('p_id_seq', ?)", Long.class, ABOVE_INT - 1);
		this.jdbc.update("insert into p (tenant) values (7)");
		this.jdbc.update("insert into m values (?)", ABOVE_INT);
		this.jdbc.update("insert into leaf values (1, ?, 7, ?)", ABOVE_INT, ABOVE_INT);
		this.jdbc.update("insert into other.far values (?)", ABOVE_INT);
		this.jdbc.update("insert into whole values (1, ?)", ABOVE_INT);
		assertThat(read("p").statements()).as("a second time").isEmpty();
	}

	@Test
	void reportsObstaclesOnPostgresql() {
		create(Kind.POSTGRESQL, "create table p (id int primary key, g int generated always as (id + 1) stored)",
				"create table m (id int primary key references p (id), owner int)", "create view v as select id from p",
				"create materialized view mv as select id from m",
				"create rule r as on update to m do also select new.id",
				"create function f(int) returns int language sql immutable as 'select $1'",
				"create index expression on p (f(id))", "create policy pol on m using (id > 0)",
				"create function tf() returns trigger language plpgsql as 'begin return new; end'",
				"create trigger tr before update of id on m for each row execute function tf()",
				"create table rows (x p)", "create table part (id int references p (id)) partition by range (id)",
				"create table base (p_id int references p (id))", "create table heir () inherits (base)",
				"alter table heir add foreign key (p_id) references p (id)",
				"create view of_heir as select p_id from heir");
		Alteration widening = read("p");
		assertThat(String.join("\n", widening.obstacles())).contains("column g of table p", "view v",
				"materialized view mv", "rule r on table m", "index expression", "policy pol on table m",
				"trigger tr on table m", "column x of table rows, which uses the row type of p",
				"the partition key of part", "the table that heir inherits the column from", "view of_heir");
		assertThat(widening.statements()).isEmpty();
	}

	@Test
	void scriptForH2ChangesOnlyTheType() {
		create(Kind.H2,
				"create table p (id int generated by default as identity primary key, tenant int, unique (tenant, id))",
				"create table m (id int primary key, constraint fk_m foreign key (id) references p (id) on delete cascade)",
				"create table leaf (id int primary key, m_id int default 3 not null, tenant int, p_id int,"
						+ " constraint fk_1 foreign key (m_id) references m (id),"
						+ " constraint fk_2 foreign key (tenant, p_id) references p (tenant, id), check (m_id > 0))",
				"comment on column leaf.m_id is 'of m'", "create view v as select id from p");
		String sql = "script nodata nosettings";
		List<String> before = this.jdbc.queryForList(sql, String.class);
		Alteration widening = read("P");
		assertThat(widening.obstacles()).isEmpty();
		run(widening);
		assertThat(this.jdbc.queryForList(sql, String.class)
			.stream()
			.map((one) -> one.replace("CAST(0 AS BIGINT)", "0").replace("BIGINT", "INTEGER")))
			.as("ignoring the salt of the user")
			.filteredOn((one) -> !one.startsWith("CREATE USER"))
			.containsExactlyInAnyOrderElementsOf(
					before.stream().filter((one) -> !one.startsWith("CREATE USER")).toList());
		this.jdbc.update("insert into p (id, tenant) values (?, 7)", ABOVE_INT);
		this.jdbc.update("insert into m values (?)", ABOVE_INT);
		this.jdbc.update("insert into leaf values (1, ?, 7, ?)", ABOVE_INT, ABOVE_INT);
		assertThat(read("P").statements()).as("a second time").isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "HSQLDB", "DERBY" })
	void reportsAnObstacleOnOtherDatabases(Kind kind) {
		create(kind, "create table p (id int not null primary key"
				+ ((kind == Kind.H2) ? ", g int generated always as (id + 1))" : ")"));
		Alteration widening = read("P");
		assertThat(widening.obstacles()).singleElement()
			.asString()
			.contains((kind == Kind.H2) ? "generated column G of P" : "no script is known for", "P");
		assertThat(widening.statements()).isEmpty();
	}

	private void create(Kind kind, String... sql) {
		this.pool = kind.create().pool(2);
		this.jdbc = new JdbcTemplate(this.pool);
		TestDatabase.execute(this.pool, sql);
	}

	private Alteration read(String table) {
		List<QualifiedName> found = this.jdbc
			.execute((ConnectionCallback<List<QualifiedName>>) (connection) -> QualifiedName.find(connection, table));
		KeyColumns keys = KeyColumns.read(this.pool, TIMEOUT, found.get(0));
		return Alteration.toBigint(this.pool, TIMEOUT, keys.columns());
	}

	private void run(Alteration widening) {
		assertThat(widening.statements()).isNotEmpty();
		TestDatabase.execute(this.pool, widening.statements().toArray(String[]::new));
	}

}
