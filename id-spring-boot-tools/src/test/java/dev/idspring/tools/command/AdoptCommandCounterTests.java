package dev.idspring.tools.command;

import java.util.List;

import dev.idspring.IdGenerators;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.tools.command.CommandLine.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link AdoptCommand} with keys that come from a counter in a table.
 */
class AdoptCommandCounterTests extends AbstractAdoptCommandTests {

	@Test
	void counterTableWithoutTextColumnMustHaveOneRow() {
		create(Kind.H2, "create table orders (id bigint primary key, note varchar(20))",
				"create table counters (next_val bigint)", "insert into counters values (101), (7)");
		assertThat(run("ids.adopt.source=counters").out()).contains("ids.adopt.row is not set", "has 2 rows",
				"Name a view that contains only the row with the counter");
	}

	@ParameterizedTest
	@FewInvocations(1)
	@CsvSource(delimiter = '|',
			textBlock = """
					hibernate_sequences (sequence_name varchar(50) primary key, next_val bigint) | hibernate_sequences | 101
					leaf_alloc (biz_tag varchar(50) primary key, max_id bigint not null, step int not null) | leaf_alloc | 101, 50
					cosid (name varchar(50) primary key, last_max_id bigint not null, last_fetch_time bigint not null) | cosid | 101, 5
					""")
	void adoptsCountersOfOtherLibraries(String table, String name, String values) {
		create(Kind.MARIADB, "create table orders (id bigint primary key, note varchar(20))", "create table " + table,
				"insert into " + name + " values ('orders', " + values + ")",
				"insert into " + name + " values ('others', " + values + ")", "insert into orders values (100, 'old')");
		assertThat(run("ids.adopt.source=" + name).out()).contains("ids.adopt.row is not set", "has 2 rows");
		assertThat(run("ids.adopt.source=" + name, "ids.adopt.row=order").out())
			.contains("ids.adopt.row is 'order', but table ", " does not have exactly one row with this value");
		Result plan = run("ids.adopt.source=" + name, "ids.adopt.row=orders");
		String schema = jdbc().queryForObject("select database()", String.class);
		assertThat(plan.out()).contains("takes at most 50 numbers at once (ids.adopt.allocation-size)");
		assertThat(plan.out()).contains("draws its blocks from table " + schema + "." + name + " (");
		assertThat(run("ids.adopt.source=" + name, "ids.adopt.row=orders", "ids.adopt.confirm=true").exitCode())
			.isZero();
		try (ConfigurableApplicationContext application = start()) {
			assertThat(application.getBean(IdGenerators.class).get("orders").nextLong()).isGreaterThan(101);
		}
		Result rejection = run("ids.adopt.end=true", "ids.adopt.confirm=true");
		assertThat(rejection.exitCode()).isEqualTo(1);
		assertThat(rejection.out()).contains("cannot end yet", "instead of repeating keys");
		execute(rejection);
		assertThat(run("ids.adopt.end=true", "ids.adopt.confirm=true").out())
			.contains("has a value at which the next draw fails");
		assertThat(jdbc().queryForObject("select min(" + counterColumn(name) + ") from " + name, Long.class))
			.as("the counter of another table")
			.isEqualTo(101);
		assertThatException()
			.isThrownBy(() -> jdbc().update("update " + name + " set " + counterColumn(name) + " = "
					+ counterColumn(name) + " + 1 where " + counterColumn(name) + " > 101"))
			.withMessageContaining("ids_limit_");
		try (ConfigurableApplicationContext application = start()) {
			insert(application);
		}
	}

	private static String counterColumn(String table) {
		return switch (table) {
			case "leaf_alloc" -> "max_id";
			case "cosid" -> "last_max_id";
			default -> "next_val";
		};
	}

	@Test
	void planWritesNothingAndRejectsANonTransactionalCounter() {
		create(Kind.MARIADB, "create table orders (id bigint primary key, note varchar(20))",
				"create table ids (name varchar(50) primary key, next_val bigint) engine=MyISAM",
				"insert into ids values ('default', 101)");
		for (String confirm : List.of("false", "true")) {
			Result rejection = run("ids.adopt.source=ids", "ids.adopt.confirm=" + confirm);
			assertThat(rejection.exitCode()).as(rejection.out()).isEqualTo(2);
			assertThat(rejection.out()).contains("engine MyISAM", "`ids` engine=InnoDB");
			assertThat(jdbc().queryForObject("select next_val from ids", Long.class)).isEqualTo(101);
		}
		jdbc().execute("alter table ids engine=InnoDB");
		jdbc().execute("create table written (next_val bigint) engine=MyISAM");
		String trigger = "create trigger written_to_ids after update on ids for each row"
				+ " insert into written values (new.next_val)";
		jdbc().execute(trigger);
		Result plan = run("ids.adopt.source=ids");
		assertThat(plan.out()).contains("already has this limit, which the command has not tested.",
				"add constraint ids_limit_");
		assertThat(jdbc().queryForList("select * from written")).as("rows that survive a rollback").isEmpty();
		jdbc().execute("drop trigger written_to_ids");
		Result done = run("ids.adopt.source=ids", "ids.adopt.confirm=true");
		assertThat(done.exitCode()).as(done.out()).isZero();
		jdbc().execute(trigger);
		Result endPlan = run("ids.adopt.end=true");
		assertThat(endPlan.out()).contains("The command did not test whether the counter has a limit",
				"add constraint ids_limit_");
		assertThat(jdbc().queryForList("select * from written")).isEmpty();
	}

	@Test
	void keepsTheSourceForOtherTables() {
		create(Kind.H2, "create table orders (id bigint primary key, note varchar(20))",
				"create table ids (name varchar(50) primary key, next_val bigint)",
				"insert into ids values ('default', 101)");
		assertThat(run("ids.adopt.source=ids", "ids.adopt.allocation-size=1").out())
			.contains("takes at most 1 number at once");
		assertThat(run("ids.adopt.source=ids", "ids.adopt.confirm=true").exitCode()).isZero();
		Result ended = run("ids.adopt.end=true", "ids.adopt.keep-source=true", "ids.adopt.confirm=true");
		assertThat(ended.out()).contains("was not changed, so an overlooked old instance would repeat keys");
		assertThat(ended.exitCode()).isZero();
		assertThat(jdbc().queryForObject("select next_val from ids", Long.class)).isLessThan(10_000);
	}

	@Test
	void limitsTheCounterInARowWithABackslash() {
		create(Kind.MARIADB, "create table orders (id bigint primary key, note varchar(20))",
				"create table ids (name varchar(50) primary key, next_val bigint)",
				"insert into ids values ('com\\\\acme', 10), ('other', 20)");
		Result done = run("ids.adopt.source=ids", "ids.adopt.row=com\\acme", "ids.adopt.confirm=true");
		assertThat(done.exitCode()).as(done.out()).isZero();
		execute(run("ids.adopt.end=true", "ids.adopt.confirm=true"));
		Result ended = run("ids.adopt.end=true", "ids.adopt.confirm=true");
		assertThat(ended.exitCode()).as(ended.out()).isZero();
	}

}
