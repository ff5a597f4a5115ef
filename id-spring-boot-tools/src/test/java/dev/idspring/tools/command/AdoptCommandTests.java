package dev.idspring.tools.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.tools.command.CommandLine.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link AdoptCommand}. The command makes a key space continue from the keys of
 * a table. If the keys come from a sequence or a counter, the key space can draw from it,
 * too. The operator later ends this connection, the bridge. The tests in this class use
 * tables whose keys come from a sequence, and test the options of the command.
 */
class AdoptCommandTests extends AbstractAdoptCommandTests {

	@TempDir
	private Path directory;

	@Test
	void sharesTheHibernateSequence() {
		create(Kind.POSTGRESQL, "create table orders (id bigint primary key, note varchar(20))",
				"create sequence orders_seq increment by 50");
		jdbc().execute("insert into orders select nextval('orders_seq'), 'old' from generate_series(1, 5)");
		assertThat(run().out()).contains("come from sequence public.orders_seq (increment 50); the highest key is 201",
				"This source was guessed from its name", "draws its blocks from sequence public.orders_seq",
				"No DDL is left to run");
		assertThat(run("ids.adopt.confirm=true").exitCode()).isZero();
		try (ConfigurableApplicationContext application = start()) {
			IdGenerators ids = application.getBean(IdGenerators.class);
			long first = ids.get("orders").nextLong();
			assertThat(first).isGreaterThan(201);
			// the next value that an old instance draws is higher than all keys in the
			// memory of new instances
			assertThat(jdbc().queryForObject("select nextval('orders_seq')", Long.class)).isGreaterThan(first + 900);
		}
		Result ended = run("ids.adopt.end=true", "ids.adopt.confirm=true");
		assertThat(ended.out()).contains("select setval('\"public\".\"orders_seq\"', 9223372036854775807);");
		execute(ended);
		assertThatException().isThrownBy(() -> jdbc().queryForObject("select nextval('orders_seq')", Long.class))
			.withMessageContaining("reached maximum value");
	}

	/**
	 * Even a sequence whose next value is 0 is not behind the keys of an empty table.
	 */
	@Test
	void adoptsAnEmptyTable() {
		create(Kind.POSTGRESQL, "create sequence orders_seq minvalue 0",
				"create table orders (id bigint primary key, note varchar(20))");
		Result plan = run();
		assertThat(plan.exitCode()).as(plan.out()).isZero();
		assertThat(plan.out()).contains("come from sequence public.orders_seq (increment 1); the table is empty.");
		assertThat(run("ids.adopt.confirm=true").exitCode()).isZero();
		try (ConfigurableApplicationContext application = start()) {
			insert(application);
		}
	}

	@Test
	void adoptsAnUnusedKeySpace() {
		create(Kind.H2, "create table orders (id bigint primary key, note varchar(20))", "create sequence orders_seq",
				"insert into orders values (next value for orders_seq, 'old')");
		try (ConfigurableApplicationContext application = start("ids.generators.orders.sequential.start=7")) {
			assertThat(application.getBean(IdGenerators.class).get("orders").describe(7).ordinal()).isZero();
		}
		assertThat(jdbc().queryForList("select next_ordinal from ids_key_space where name = 'orders'", Long.class))
			.containsExactly(0L);
		Result adopted = run("ids.adopt.confirm=true");
		assertThat(adopted.exitCode()).as(adopted.out()).isZero();
		try (ConfigurableApplicationContext application = start()) {
			insert(application);
		}
		jdbc().update("update ids_key_space set bridge = null");
		assertThat(run().out()).contains("It has issued ids",
				"run this statement, and then this command again: delete from ids_key_space where name = 'orders';");
	}

	@Test
	void writesTheRemainingDdlToAFile() throws Exception {
		create(Kind.POSTGRESQL, "create table orders (id serial primary key, note varchar(20))");
		Path file = this.directory.resolve("V7__orders.sql");
		assertThat(run("ids.adopt.file=" + file).out()).contains("The DDL was written to " + file);
		for (String statement : Files.readAllLines(file)) {
			jdbc().execute(statement);
		}
		assertThat(Files.readString(file)).isEqualTo("""
				alter table "public"."orders" alter column "id" type bigint;
				alter sequence "public"."orders_id_seq" as bigint;
				""");
		assertThat(run("ids.adopt.file=" + file, "ids.adopt.confirm=true").out()).contains("which already exists");
		assertThat(run().out()).contains("No DDL is left to run");
	}

	@Test
	void changesNothingIfTheFileCannotBeWritten() {
		create(Kind.POSTGRESQL, "create table orders (id serial primary key, note varchar(20))");
		String file = "ids.adopt.file=" + this.directory.resolve("missing").resolve("V8__orders.sql");
		String end = "ids.generators.orders.sequential.end=2147483647";
		assertThat(run(end, file, "ids.adopt.confirm=true").out()).contains("which cannot be written");
		assertThat(jdbc().queryForList("select name from ids_key_space")).isEmpty();
		assertThat(run(end, "ids.adopt.confirm=true").exitCode()).isZero();
		assertThat(run(end, file, "ids.adopt.end=true", "ids.adopt.confirm=true").out())
			.contains("which cannot be written");
		assertThat(run(end, "ids.adopt.end=true", "ids.adopt.confirm=true").out())
			.contains("The bridge of key space 'orders' has ended.", "select setval('\"public\".\"orders_id_seq\"'");
	}

	@Test
	void rejectsABridgeWhenTheIdStoreIsInAnotherDatabase() {
		create(Kind.H2, "create table orders (id bigint primary key, note varchar(20))", "create sequence orders_seq");
		String url = "jdbc:h2:mem:other-ids;DB_CLOSE_DELAY=-1";
		DriverManagerDataSource other = new DriverManagerDataSource(url, "sa", "");
		new JdbcSchema(other, "ids_").create();
		JdbcTemplate otherJdbc = new JdbcTemplate(other);
		otherJdbc.execute("create sequence orders_seq");
		String[] arguments = Stream
			.of(connectionProperties(), generatorProperties(), options(),
					Stream.of("own.url=" + url, "ids.adopt.confirm=true"))
			.flatMap((stream) -> stream)
			.toArray(String[]::new);
		Class<?> application = SchemaCommandTests.AnnotatedDataSource.class;
		String message = "ids.adopt.table is PUBLIC.ORDERS, but the command cannot read the id store in the same";
		Result late = CommandLine.run(application, "adopt", arguments);
		assertThat(late.exitCode()).as(late.out()).isEqualTo(1);
		String removal = "delete from ids_key_space where name = 'orders';";
		assertThat(late.out()).contains(message,
				"Do not start new instances. Run this statement in the id store: " + removal);
		otherJdbc.execute(removal);
		jdbc().execute("drop table ids_key_space");
		assertThat(CommandLine.run(application, "adopt", arguments).out()).contains(message)
			.doesNotContain("Do not start new instances");
		assertThat(otherJdbc.queryForList("select name from ids_key_space")).isEmpty();
		assertThat(CommandLine.run(application, "adopt", concat(arguments, "ids.adopt.source=none")).exitCode())
			.isZero();
	}

	@Test
	void canBeRepeatedAfterAFailedDrawFromTheSource() {
		create(Kind.POSTGRESQL, "create table orders (id bigint primary key, note varchar(20))",
				"create sequence orders_seq maxvalue 5", "select setval('orders_seq', 5)");
		Result failure = run("ids.adopt.confirm=true");
		assertThat(failure.exitCode()).as(failure.out()).isEqualTo(1);
		assertThat(failure.out()).contains("The step above failed: ", "and run the command again");
		jdbc().execute("alter sequence orders_seq no maxvalue");
		Result done = run("ids.adopt.confirm=true");
		assertThat(done.exitCode()).as(done.out()).isZero();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ids.adopt.allocation-size=0 | ids.adopt.allocation-size is 0.",
			"ids.adopt.allocation-size=5000000000 | old instance uses per value of the source, from 1 to 1000000000",
			"ids.adopt.table= | ids.adopt.table is not set",
			"ids.adopt.table=nope | ids.adopt.table is 'nope', but there is no table",
			"ids.adopt.generator=nope | ids.adopt.generator is 'nope', but there is no id generator",
			"ids.adopt.generator=links | strategy is coprime, whose ids cannot continue from existing keys",
			"ids.adopt.source=nope | ids.adopt.source is 'nope', but there is no sequence or table",
			"ids.adopt.confirm=false | no source was found for the keys of PUBLIC.ORDERS.ID",
			"ids.store=memory | not in a database" })
	void reportsWhyItCannotRun(String property, String message) {
		create(Kind.H2, "create table orders (id bigint primary key, note varchar(20))");
		Result result = run(property);
		assertThat(result.exitCode()).as(result.out()).isEqualTo(2);
		assertThat(result.out()).contains(message);
	}

}
