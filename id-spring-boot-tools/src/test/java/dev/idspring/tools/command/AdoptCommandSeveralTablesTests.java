package dev.idspring.tools.command;

import java.util.List;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.tools.command.CommandLine.Result;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AdoptCommand} with several tables at once.
 */
class AdoptCommandSeveralTablesTests extends AbstractAdoptCommandTests {

	@Test
	void adoptsSeveralTablesTogetherOrNone() {
		create(Kind.H2, "create table orders (id int primary key, note varchar(20))",
				"create table lines (id int primary key, order_id int references orders)", "create sequence lines_seq",
				"create table ids (name varchar(50) primary key, next_val bigint)", "insert into ids values ('o', 1)");
		String[] both = { "ids.adopt.table=orders,lines", "ids.adopt.generator=orders,lines",
				"ids.generators.lines.strategy=sequential", "ids.sequential.end=2000000000", "ids.adopt.source=ids," };
		assertThat(run(both).exitCode()).isZero();
		jdbc().update("insert into lines (id) values (100)");
		Result problem = run(concat(both, "ids.adopt.confirm=true"));
		assertThat(problem.exitCode()).isEqualTo(1);
		assertThat(problem.out()).contains("LINES_SEQ is 1", "Nothing was done for any of the tables.");
		assertThat(jdbc().queryForObject("select count(*) from ids_key_space", Long.class)).isZero();
		jdbc().execute("alter sequence lines_seq restart with 101");
		Result done = run(concat(both, "ids.adopt.confirm=true", "ids.output=json"));
		assertThat(done.exitCode()).as(done.out()).isZero();
		assertThat(JsonPath.<List<String>>read(done.out(), "$.tables[*].table")).containsExactly("PUBLIC.ORDERS",
				"PUBLIC.LINES");
		List<String> ddl = JsonPath.read(done.out(), "$.ddl");
		assertThat(ddl).hasSize(4).doesNotHaveDuplicates();
		ddl.forEach(jdbc()::execute);
		Result ended = run(concat(both, "ids.adopt.end=true", "ids.adopt.confirm=true"));
		assertThat(ended.exitCode()).as(ended.out()).isZero();
		assertThat(run("ids.adopt.table=orders,lines").out()).contains("Name one generator for each table");
		assertThat(run(concat(both, "ids.adopt.row=a,b,c")).out())
			.contains("ids.adopt.row is [a, b, c], but the number of tables is 2.");
	}

	@Test
	void closesNoSourceIfTheBridgeOfAnotherTableCannotEnd() {
		create(Kind.H2, "create table orders (id bigint primary key)", "create table lines (id bigint primary key)",
				"create sequence orders_seq", "create sequence lines_seq");
		String[] both = { "ids.adopt.table=orders,lines", "ids.adopt.generator=orders,lines",
				"ids.generators.lines.strategy=sequential" };
		Result begun = run(concat(both, "ids.adopt.confirm=true"));
		assertThat(begun.exitCode()).as(begun.out()).isZero();
		Result first = run("ids.adopt.end=true", "ids.adopt.confirm=true");
		assertThat(first.exitCode()).as(first.out()).isZero();
		Result ended = run(concat(both, "ids.adopt.end=true", "ids.adopt.confirm=true"));
		assertThat(ended.exitCode()).as(ended.out()).isEqualTo(1);
		assertThat(ended.out())
			.contains("Key space 'orders' has no bridge to end.", "Nothing was done for any of the tables.")
			.doesNotContain("LINES_SEQ");
	}

	@Test
	void rejectsGeneratorsThatShareAKeySpace() {
		create(Kind.H2, "create table orders (id bigint primary key)", "create table lines (id bigint primary key)",
				"create sequence orders_seq", "create sequence lines_seq");
		Result result = run("ids.adopt.table=orders,lines", "ids.adopt.generator=orders,lines",
				"ids.generators.lines.strategy=sequential", "ids.generators.lines.key-space=orders");
		assertThat(result.exitCode()).as(result.out()).isEqualTo(2);
		assertThat(result.out()).contains("ids.adopt.generator is [orders, lines], but", "[orders, orders].",
				"Name generators with different key spaces");
	}

}
