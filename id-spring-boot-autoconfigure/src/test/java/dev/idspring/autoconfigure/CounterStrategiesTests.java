package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.autoconfigure.actuate.GeneratorDescriptor;
import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import dev.idspring.jdbc.JdbcGaplessStore;
import dev.idspring.jdbc.JdbcSlotStore;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the generators that the auto-configuration creates for the strategies
 * {@code sequential}, {@code recycled} and {@code gapless}.
 */
class CounterStrategiesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
		.withPropertyValues("ids.jdbc.initialize-schema=always");

	private ApplicationContextRunner on(TestDatabase database) {
		return this.contextRunner.withPropertyValues("spring.datasource.url=" + database.url(),
				"spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password());
	}

	private ApplicationContextRunner onH2() {
		return on(TestDatabase.h2());
	}

	@ParameterizedTest
	@ValueSource(strings = { "sequential", "SEQUENTIAL", "Sequential" })
	void sequentialNumbersAreIssuedInOrder(String spelling) {
		onH2().withPropertyValues("ids.strategy=" + spelling)
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextLongs(5_000))
				.isEqualTo(LongStream.rangeClosed(1, 5_000).toArray()));
	}

	@Test
	void sequentialContinuesWithoutAGapAfterANormalStop() {
		ApplicationContextRunner runner = onH2().withPropertyValues("ids.strategy=sequential",
				"ids.sequential.start=100", "ids.block.size=10");
		runner.run((context) -> assertThat(context.getBean(IdGenerator.class).nextLongs(33)).startsWith(100, 101));
		runner.run((context) -> assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("133"));
	}

	@Test
	void sequentialFailsAfterItsEndUntilTheEndIsRaised() {
		ApplicationContextRunner runner = onH2().withPropertyValues("ids.strategy=sequential");
		runner.withPropertyValues("ids.sequential.end=3").run((context) -> {
			IdGenerator ids = context.getBean(IdGenerator.class);
			assertThat(ids.nextLongs(3)).containsExactly(1, 2, 3);
			assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(ids::nextLong)
				.withMessageContaining("(ids.sequential.end, or the setting end in Java)");
		});
		runner.withPropertyValues("ids.sequential.end=4")
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextLong()).isEqualTo(4));
	}

	@Test
	void sequentialFailsAfterTheHighestPossibleNumber() {
		onH2().withPropertyValues("ids.strategy=sequential", "ids.sequential.start=9223372036854775800")
			.run((context) -> {
				IdGenerator ids = context.getBean(IdGenerator.class);
				for (long expected = 9223372036854775800L; expected < Long.MAX_VALUE; expected++) {
					assertThat(ids.nextLong()).isEqualTo(expected);
				}
				for (int i = 0; i < 10; i++) {
					assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(ids::nextLong);
				}
			});
	}

	/**
	 * Applications start and stop while the first one is running. A new application
	 * continues a series of an application that has stopped.
	 */
	@ParameterizedTest
	@EnumSource(value = Kind.class, names = { "H2", "POSTGRESQL", "MARIADB" })
	void applicationsReuseRecycledSeriesReleasedByOthers(Kind kind) {
		ApplicationContextRunner worker = on(kind.create()).withPropertyValues("ids.strategy=recycled");
		List<Long> ids = new ArrayList<>();
		Consumer<AssertableApplicationContext> draw = (context) -> ids
			.add(context.getBean(IdGenerator.class).nextLong());
		worker.run((a) -> {
			draw.accept(a);
			worker.run((b) -> {
				draw.accept(b);
				worker.run(draw::accept);
				b.getBean(IdGenerator.class).nextLongs(6);
			});
			worker.run((d) -> {
				draw.accept(d);
				worker.run(draw::accept);
			});
			draw.accept(a);
		});
		assertThat(ids).containsExactly(1L, 1_000_001L, 2_000_001L, 1_000_008L, 2_000_002L, 2L);
	}

	@Test
	void recycledSettingsAreUsed() {
		onH2()
			.withPropertyValues("ids.strategy=recycled", "ids.recycled.series-size=10", "ids.recycled.capacity=29",
					"ids.recycled.series-per-instance=2", "ids.lease=7s")
			.run((context) -> {
				IdGenerator ids = context.getBean(IdGenerator.class);
				// either of two series may be claimed first, because both are claimed at
				// the same time
				assertThat(ids.nextLongs(5)).isIn(new long[] { 1, 2, 3, 4, 5 }, new long[] { 11, 12, 13, 14, 15 });
				List<Long> leases = context.getBean(JdbcTemplate.class)
					.queryForList(
							"select lease_until - leased_at from ids_slot where lease_until < 9223372036854775807",
							Long.class);
				assertThat(leases).isNotEmpty().containsOnly(7_000L);
				assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> ids.parse("21"));
			});
	}

	@Test
	void endpointShowsTheSeries() {
		ApplicationContextRunner runner = onH2().withPropertyValues("ids.strategy=recycled",
				"ids.recycled.series-size=1000", "ids.recycled.capacity=10000", "ids.block.size=100");
		runner.run((context) -> {
			context.getBean(IdGenerator.class).nextLong();
			runner.run((other) -> other.getBean(IdGenerator.class).nextLongs(7));
			runner.withPropertyValues("ids.generators.orders.strategy=sequential").run((observer) -> {
				observer.getBean(IdGenerator.class).nextLong();
				IdsEndpoint endpoint = new IdsEndpoint(observer.getBean(IdGenerators.class), null);
				GeneratorDescriptor descriptor = endpoint.generator("default");
				assertThat(descriptor.strategy()).isEqualTo("recycled");
				assertThat(descriptor.seriesTotals()).isEqualTo(new GeneratorDescriptor.SeriesTotals(1_793, 0, 8_000));
				assertThat(descriptor.keySpace().remaining()).hasToString("9793");
				assertThat(descriptor.series()).extracting(GeneratorDescriptor.Series::number).containsExactly(0L, 1L);
				assertThat(descriptor.series()).extracting(GeneratorDescriptor.Series::next)
					.containsExactly("101", "1108");
				assertThat(descriptor.series()).extracting(GeneratorDescriptor.Series::end)
					.containsExactly("1000", "2000");
				assertThat(descriptor.series()).extracting(GeneratorDescriptor.Series::own)
					.containsExactly(false, true);
				assertThat(descriptor.series()).extracting(GeneratorDescriptor.Series::abandoned).containsOnly(false);
				assertThat(endpoint.generator("orders").series()).isNull();
			});
		});
	}

	@Test
	void gaplessNumbersAreReusedAfterRollback() {
		onH2()
			.withPropertyValues("ids.generators.invoices.strategy=gapless",
					"ids.generators.invoices.gapless.start=1000")
			.run((context) -> {
				IdGenerator invoices = context.getBean(IdGenerators.class).get("invoices");
				TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
				transaction.executeWithoutResult((status) -> {
					assertThat(invoices.nextLong()).isEqualTo(1000);
					assertThat(invoices.nextStrings(3)).containsExactly("1001", "1002", "1003");
					status.setRollbackOnly();
				});
				assertThat(transaction.<long[]>execute((status) -> invoices.nextLongs(2))).containsExactly(1000, 1001);
				assertThat(invoices.describe(1001).reserved()).isTrue();
				assertThat(invoices.describe(1002).reserved()).isFalse();
				assertThat(invoices.nextLongs(0)).as("drawing no numbers needs no transaction").isEmpty();
				assertThatExceptionOfType(IdGenerationException.class).isThrownBy(invoices::nextLong)
					.withMessageContaining("@Transactional");
				GeneratorDescriptor descriptor = new IdsEndpoint(context.getBean(IdGenerators.class), null)
					.generator("invoices");
				assertThat(descriptor.keySpace().reserved()).hasToString("2");
				assertThat(descriptor.block().reservations()).isEqualTo(3);
				assertThat(descriptor.status()).hasToString("UP");
			});
	}

	@Test
	void gaplessErrorMentionsTheJtaTransactionManager() {
		onH2().withPropertyValues("ids.strategy=gapless")
			.withBean(PlatformTransactionManager.class, () -> new JtaTransactionManager(new StubTransaction()))
			.run((context) -> {
				IdGenerator ids = context.getBean(IdGenerator.class);
				TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
				assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> transaction.execute((status) -> ids.nextLong()))
					.withMessageContaining(
							"JTA transaction manager 'platformTransactionManager', and the DataSource of the sequence does not");
			});
	}

	@Test
	void gaplessFailsAfterItsEnd() {
		ApplicationContextRunner runner = onH2().withPropertyValues("ids.strategy=gapless", "ids.gapless.end=2");
		runner.run((context) -> {
			IdGenerator ids = context.getBean(IdGenerator.class);
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			assertThatExceptionOfType(KeySpaceExhaustedException.class)
				.isThrownBy(() -> transaction.execute((status) -> ids.nextLongs(3)))
				.withMessageContaining("asked for 3")
				.withMessageContaining("(ids.gapless.end, or the setting end in Java)");
			assertThat(transaction.<long[]>execute((status) -> ids.nextLongs(2))).containsExactly(1, 2);
			assertThat(new IdsEndpoint(context.getBean(IdGenerators.class), null).generator("default").status())
				.hasToString("EXHAUSTED");
		});
	}

	@Test
	void gaplessUsesTheDataSourceOfTheApplicationDespiteAnIdsDataSource() {
		ApplicationContextRunner runner = onH2().withUserConfiguration(AbstractIdsJdbcTests.SeparateIdsDataSource.class)
			.withPropertyValues("ids.generators.invoices.strategy=gapless");
		runner.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.hasStackTraceContaining("Table ids_gapless is missing or cannot be read")
			.hasStackTraceContaining("in the database of the application's transactions"));
		runner.withInitializer((context) -> TestDatabase.execute(
				new SimpleDriverDataSource(new org.h2.Driver(),
						context.getEnvironment().getProperty("spring.datasource.url"), "sa", ""),
				"create table ids_gapless (name varchar(100), scope_period varchar(10), scope_key varchar(64), scope_name varchar(500), next_value bigint, scope_count bigint, primary key (name, scope_period, scope_key))"))
			.run((context) -> {
				IdGenerator invoices = context.getBean(IdGenerators.class).get("invoices");
				context.getBean(TransactionTemplate.class)
					.executeWithoutResult((status) -> assertThat(invoices.nextLong()).isEqualTo(1));
				assertThat(context.getBean(JdbcTemplate.class)
					.queryForObject("select next_value from ids_gapless", Long.class)).isEqualTo(2);
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = {
			"ids.strategy=recycled,ids.recycled.series-size=0;ids.recycled.series-size is 0",
			"ids.strategy=recycled,ids.recycled.series-per-instance=0;ids.recycled.series-per-instance is 0",
			"ids.strategy=recycled,ids.recycled.capacity=10;ids.recycled.capacity is 10",
			"ids.strategy=recycled,ids.lease=10ms;ids.lease is 10ms",
			"ids.strategy=sequential,ids.sequential.start=-1;ids.sequential.start is -1",
			"ids.strategy=gapless,ids.gapless.end=0;ids.gapless.end is 0",
			"ids.generators.a.strategy=sequential,ids.generators.a.sequential.end=0;ids.generators.a.sequential.end" })
	void invalidSettingsMakeStartupFail(String properties, String message) {
		onH2().withPropertyValues(properties.split(","))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.isInstanceOf(BeanCreationException.class)
				.hasMessageContaining(message));
	}

	@Test
	void changedDefinitionMakesStartupFail() {
		for (String[] change : new String[][] { { "ids.strategy=sequential", "ids.sequential.start=5" },
				{ "ids.strategy=recycled", "ids.recycled.series-size=5" },
				{ "ids.strategy=gapless", "ids.gapless.start=5" } }) {
			ApplicationContextRunner runner = onH2().withPropertyValues(change[0]);
			runner.run((context) -> assertThat(context).hasNotFailed());
			runner.withPropertyValues(change[1])
				.run((context) -> assertThat(context).hasFailed()
					.getFailure()
					.rootCause()
					.isInstanceOf(KeySpaceMismatchException.class)
					.hasMessageContaining(
							"but the configuration has " + change[1].substring(change[1].lastIndexOf('.') + 1)));
			runner.withPropertyValues("ids.strategy=coprime")
				.run((context) -> assertThat(context).hasFailed()
					.getFailure()
					.rootCause()
					.isInstanceOf(KeySpaceMismatchException.class));
		}
	}

	@Test
	void memoryStoreSupportsRecycledAndSequentialButNotGapless() {
		this.contextRunner
			.withPropertyValues("ids.store=memory", "ids.strategy=recycled",
					"ids.generators.numbers.strategy=sequential")
			.run((context) -> {
				assertThat(context).hasSingleBean(InMemorySlotStore.class).doesNotHaveBean(JdbcSlotStore.class);
				assertThat(context.getBean(IdGenerator.class).nextLong()).isEqualTo(1);
				assertThat(context.getBean(IdGenerators.class).get("numbers").nextLong()).isEqualTo(1);
			});
		this.contextRunner.withPropertyValues("ids.store=memory", "ids.strategy=gapless")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("ids.strategy is gapless"));
	}

	@Test
	void customKeySpaceStoreRequiresASlotStore() {
		ApplicationContextRunner runner = this.contextRunner.withBean(KeySpaceStore.class, InMemoryKeySpaceStore::new)
			.withPropertyValues("ids.strategy=recycled");
		runner.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.rootCause()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContaining("not exactly one SlotStore bean"));
		runner.withBean(SlotStore.class, () -> new InMemorySlotStore(TimeSource.system()))
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextLong()).isEqualTo(1));
	}

	@Test
	void customStoresReplaceTheJdbcStores() {
		onH2().withBean(SlotStore.class, () -> new InMemorySlotStore(TimeSource.system()))
			.withBean(GaplessStore.class, () -> new StubGaplessStore())
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(SlotStore.class)
				.doesNotHaveBean(JdbcSlotStore.class)
				.doesNotHaveBean(JdbcGaplessStore.class));
	}

	private static final class StubGaplessStore implements GaplessStore {

		@Override
		public void create(String name, long first, Deadline deadline) {
		}

		@Override
		public Draw draw(String name, int count, long last, Deadline deadline) {
			throw new UnsupportedOperationException();
		}

		@Override
		public long next(String name, Deadline deadline) {
			throw new UnsupportedOperationException();
		}

	}

	/**
	 * A transaction of a transaction manager outside of Spring.
	 */
	private static final class StubTransaction implements UserTransaction {

		private int status = Status.STATUS_NO_TRANSACTION;

		@Override
		public void begin() {
			this.status = Status.STATUS_ACTIVE;
		}

		@Override
		public void commit() {
			this.status = Status.STATUS_NO_TRANSACTION;
		}

		@Override
		public void rollback() {
			this.status = Status.STATUS_NO_TRANSACTION;
		}

		@Override
		public void setRollbackOnly() {
			this.status = Status.STATUS_MARKED_ROLLBACK;
		}

		@Override
		public int getStatus() {
			return this.status;
		}

		@Override
		public void setTransactionTimeout(int seconds) {
		}

	}

}
