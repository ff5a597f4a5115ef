package dev.idspring.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
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
 * Tests for {@code ids.witness}: what it may be, and when it is looked into.
 */
@ExtendWith(OutputCaptureExtension.class)
class WitnessTests {

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
	void namesThatCannotGoIntoSqlAreRefused(String witness) {
		this.contextRunner.withPropertyValues("ids.generators.orders.witness=" + witness).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
				.analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("ids.generators.orders.witness is '" + witness
					+ "' but must be the names of a table and a column, such as orders.id");
		});
	}

	@Test
	void columnOfAnotherTypeIsRefused() {
		this.database.execute("create table orders (id uuid primary key)");
		this.contextRunner.withPropertyValues("ids.witness=orders.id")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("orders.id is named as a witness, but holds neither whole numbers nor texts"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "base62", "decimal" })
	void columnOfTextsThatDoNotSortByTimeIsRefused(String format) {
		ApplicationContextRunner snowflake = this.contextRunner.withPropertyValues("ids.strategy=snowflake",
				"ids.snowflake.format=" + format, "ids.witness=orders.id");
		this.database.execute("create table orders (id varchar(30) primary key)");
		snowflake.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.rootCause()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContaining("orders.id (ids.witness) holds texts, and those of these ids do not sort by time"));
		this.database.execute("drop table orders", "create table orders (id bigint primary key)");
		snowflake.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders.id", "public.orders.id", "PUBLIC.Orders.ID" })
	void schemaAndCaseAreTheDatabases(String witness) {
		this.database.execute("create table orders (id integer primary key)", "insert into orders values (7)");
		this.contextRunner.withPropertyValues("ids.witness=" + witness)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(KeySpaceRegressionException.class)
				.hasMessageContaining(witness + " (ids.witness) holds 7"));
	}

	@Test
	void tableThatDoesNotExistYetIsWarnedOf(CapturedOutput output) {
		this.contextRunner.withPropertyValues("ids.witness=orders.id").run((context) -> {
			assertThat(context.getBean(IdGenerator.class).nextLong()).isOne();
			assertThat(output).containsOnlyOnce("ids.witness could not be looked into, so that nothing tells whether"
					+ " the store went backwards while the application was down: Cannot look into orders.id:");
		});
	}

	@Test
	void scriptsOfTheApplicationComeFirst(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("ids.witness=orders.id",
					"spring.sql.init.schema-locations=classpath:dev/idspring/autoconfigure/witness.sql")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("orders.id (ids.witness) holds 7"));
		assertThat(output).doesNotContain("could not be looked into");
	}

	@Test
	void columnIsNotInherited() {
		this.database.execute("create table orders (id bigint primary key)");
		this.contextRunner.withPropertyValues("ids.witness=orders.id", "ids.generators.other.strategy=sequential")
			.run((context) -> context.getBean("otherIdGenerator", IdGenerator.class).nextLong());
		this.database.execute("insert into orders values (2000)");
		this.contextRunner.withPropertyValues("ids.generators.orders.witness=orders.id")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("ids.generators.orders.witness"));
		this.contextRunner.withPropertyValues("ids.witness=orders.id")
			.run((context) -> assertThat(context).hasFailed());
		this.database.execute("update ids_key_space set next_ordinal = 2000 where name = 'default'");
		this.contextRunner.withPropertyValues("ids.witness=orders.id", "ids.generators.other.strategy=sequential")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void storeThatIsNoDatabaseHasNoWitness() {
		this.contextRunner.withPropertyValues("ids.store=memory", "ids.generators.orders.witness=orders.id")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("ids.generators.orders.witness is set, but ids.store is memory."));
	}

	/**
	 * Not even the keys that come next are there, but one that comes much later is: a
	 * coincidence, unless its neighbour is there as well.
	 */
	@Test
	void textsOfAnotherOriginAreNoProof() {
		this.database.execute("create table link (id varchar(6) primary key)");
		ApplicationContextRunner links = this.contextRunner.withPropertyValues("ids.strategy=coprime",
				"ids.witness=link.id");
		String[] keys = new String[3];
		links.run((context) -> {
			IdGenerator ids = context.getBean(IdGenerator.class);
			for (int i = 0; i < keys.length; i++) {
				keys[i] = ids.format((4_098L + i) * ids.parse("zcDK0x") % 56_800_235_584L);
			}
		});
		this.database.execute("insert into link values ('" + keys[0] + "')");
		links.run((context) -> assertThat(context).hasNotFailed());
		this.database.execute("insert into link values ('" + keys[1] + "')");
		links.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.rootCause()
			.isInstanceOf(KeySpaceRegressionException.class));
	}

	@ParameterizedTest
	@EnumSource(value = TestDatabase.Kind.class, names = { "H2", "POSTGRESQL", "MARIADB" })
	void instancesThatInsertMeanwhileAreNotMistaken(TestDatabase.Kind kind) {
		String[] properties = { "ids.strategy=sequential", "ids.witness=orders.id", "ids.block.size=1",
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
			for (int i = 0; i < 8; i++) {
				instances.start(properties).close();
			}
			stopped.set(true);
			inserting.join();
		}
	}

}
