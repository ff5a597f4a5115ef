package dev.idspring.autoconfigure;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.idspring.ClockException;
import dev.idspring.CompositePrefix;
import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.autoconfigure.actuate.GeneratorDescriptor;
import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the strategies {@code snowflake}, {@code decimal-uid} and {@code composite}
 * as the auto-configuration creates them.
 */
@ExtendWith(OutputCaptureExtension.class)
class TimeStrategiesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
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

	private ApplicationContextRunner withoutStore() {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withPropertyValues("ids.store=none", "ids.strategy=snowflake");
	}

	private static IdDescription drawAndDescribe(IdGenerator ids) {
		return ids.describe(ids.nextLong());
	}

	@ParameterizedTest
	@Databases
	void everyInstanceClaimsItsOwnNode(Kind kind) {
		ApplicationContextRunner runner = on(kind.create()).withPropertyValues("ids.strategy=snowflake");
		runner.run((first) -> {
			assertThat(drawAndDescribe(first.getBean(IdGenerator.class)).node()).isZero();
			runner.run((second) -> assertThat(drawAndDescribe(second.getBean(IdGenerator.class)).node()).isEqualTo(1));
			runner.run((third) -> assertThat(drawAndDescribe(third.getBean(IdGenerator.class)).node())
				.as("the second instance has released its node")
				.isEqualTo(1));
			assertThat(drawAndDescribe(first.getBean(IdGenerator.class)).time())
				.isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
		});
	}

	/**
	 * Generators that issue many ids share one thread, the ticker, which keeps the time
	 * in the ids current. The ticker ends some time after the last id.
	 */
	@Test
	void generatorsOfAContextShareATicker() {
		onH2()
			.withPropertyValues("ids.strategy=snowflake", "ids.clock.max-ahead=1h",
					"ids.generators.other.strategy=decimal-uid")
			.run((context) -> {
				for (int i = 0; i < 50_000; i++) {
					context.getBean(IdGenerators.class).forEach(IdGenerator::nextLong);
				}
				assertThat(countTickers()).isEqualTo(1);
			});
		Awaitility.await().untilAsserted(() -> assertThat(countTickers()).isZero());
	}

	private static long countTickers() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).filter("ids-ticker"::equals).count();
	}

	@ParameterizedTest
	@ValueSource(strings = { "decimal-uid", "DECIMAL_UID", "decimalUid" })
	void anySpellingOfAStrategyIsAccepted(String spelling) {
		onH2().withPropertyValues("ids.strategy=" + spelling)
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextString()).hasSize(20).startsWith("0"));
	}

	@ParameterizedTest
	@CsvSource({ "standard, 2093-09-06T15:47:35.551Z, 2024-01-01T00:00:00Z time-bits=41 node-bits=10 tail-bits=12",
			"twitter, 2080-07-10T17:30:30.208Z, 2010-11-04T01:42:54.657Z time-bits=41 node-bits=10 tail-bits=12",
			"instagram, 2046-06-27T17:00:49.496Z, 2011-08-24T21:07:01.721Z time-bits=40 node-bits=13 tail-bits=10",
			"random-tail, 2058-11-03T19:53:47.775Z, 2024-01-01T00:00:00Z time-bits=40 node-bits=10 tail-bits=13",
			"javascript, 2093-09-06T15:47:35.551Z, 2024-01-01T00:00:00Z time-bits=41 node-bits=5 tail-bits=7" })
	void appliesThePresetAndLogsTheLastInstant(String preset, String lastInstant, String definition,
			CapturedOutput output) {
		onH2().withPropertyValues("ids.strategy=snowflake", "ids.snowflake.preset=" + preset).run((context) -> {
			GeneratorDescriptor generator = descriptor(context.getBean(IdGenerators.class),
					context.getBean(KeySpaceStore.class));
			assertThat(generator.definition()).isEqualTo("snowflake epoch=" + definition);
			assertThat(generator.keySpace().exhaustedAt()).isEqualTo(lastInstant);
			assertThat(output).contains("ids until " + lastInstant).contains("node 0 of ").contains("(lease)");
		});
	}

	private static GeneratorDescriptor descriptor(IdGenerators generators, KeySpaceStore store) {
		GeneratorDescriptor descriptor = new IdsEndpoint(generators, store).generator("default");
		assertThat(descriptor).isNotNull();
		return descriptor;
	}

	@Test
	void endpointShowsNodeAndClock() {
		onH2().withPropertyValues("ids.strategy=snowflake", "ids.lease=20s").run((context) -> {
			context.getBean(IdGenerator.class).nextLongs(5);
			GeneratorDescriptor generator = descriptor(context.getBean(IdGenerators.class),
					context.getBean(KeySpaceStore.class));
			assertThat(generator.strategy()).isEqualTo("snowflake");
			assertThat(generator.status()).isEqualTo("UP");
			assertThat(generator.node().number()).isZero();
			assertThat(generator.node().source()).isEqualTo("lease");
			assertThat(generator.node().owner()).isEqualTo(context.getBean(JdbcTemplate.class)
				.queryForObject("select owner from ids_slot where slot = 0", String.class));
			assertThat(Duration.between(generator.node().windowStart(), generator.node().windowEnd()))
				.isBetween(Duration.ofSeconds(20), Duration.ofSeconds(22));
			assertThat(generator.node().windowEnd()).isEqualTo(Instant.parse("2024-01-01T00:00:00Z")
				.plusMillis(context.getBean(JdbcTemplate.class)
					.queryForObject("select next_position from ids_slot where slot = 0", Long.class)));
			assertThat(generator.node().leaseUntil()).isAfter(generator.node().windowStart());
			assertThat(generator.clock().trusted()).isTrue();
			assertThat(generator.clock().waits()).isZero();
			assertThat(generator.clock().jumps()).isZero();
			assertThat(generator.clock().skewMillis()).isBetween(-1_000L, 1_000L);
			assertThat(generator.keySpace().capacity()).isEqualTo(BigInteger.TWO.pow(63));
			assertThat(generator.keySpace().remaining().add(generator.keySpace().reserved()))
				.isEqualTo(BigInteger.TWO.pow(63));
			assertThat(generator.keySpace().remainingOfNode())
				.isEqualTo(generator.keySpace().remaining().divide(BigInteger.valueOf(1_024)));
			assertThat(generator.block().reservations()).isEqualTo(1);
			assertThat(generator.block().remaining()).isPositive().isLessThanOrEqualTo(22_000L * 4_096);
		});
	}

	@Test
	void appliesTheSettingsOfAllTimeStrategies() {
		onH2().withPropertyValues("ids.strategy=snowflake", "ids.snowflake.epoch=2025-01-01T01:00:00+01:00",
				"ids.snowflake.time-bits=40", "ids.snowflake.node-bits=8", "ids.snowflake.tail-bits=9",
				"ids.snowflake.tail=random", "ids.snowflake.format=base32", "ids.generators.uids.strategy=decimal-uid",
				"ids.generators.uids.decimal-uid.epoch=2020-01-01T00:00:00Z",
				"ids.generators.uids.decimal-uid.random-digits=5", "ids.generators.uids.decimal-uid.node-digits=2",
				"ids.generators.uids.decimal-uid.signed=false", "ids.generators.keys.strategy=composite",
				"ids.generators.keys.composite.epoch=2020-01-01T00:00:00Z",
				"ids.generators.keys.composite.prefix-digits=2", "ids.generators.keys.composite.sequence-digits=4",
				"ids.generators.owned.strategy=composite", "ids.generators.owned.composite.prefix=77")
			.run((context) -> {
				IdGenerators ids = context.getBean(IdGenerators.class);
				assertThat(ids.get("default").nextString()).hasSize(13);
				assertThat(new IdsEndpoint(ids, null).ids().generators().values())
					.extracting(GeneratorDescriptor::definition)
					.containsExactlyInAnyOrder(
							"snowflake epoch=2025-01-01T00:00:00Z time-bits=40 node-bits=8 tail-bits=9"
									+ " text alphabet=0123456789ABCDEFGHJKMNPQRSTVWXYZ length=13",
							"decimal-uid epoch=2020-01-01T00:00:00Z random-digits=5 node-digits=2",
							"composite epoch=2020-01-01T00:00:00Z node-digits=2 time sequence-digits=4",
							"composite epoch=2024-01-01T00:00:00Z prefix-digits=3 time node-digits=2 sequence-digits=1");
				assertThat(ids.get("uids").nextString()).hasSize(20).endsWith("00");
				assertThat(ids.get("keys").nextString()).hasSize(23).startsWith("0020");
				assertThat(ids.get("owned").nextString()).hasSize(23).startsWith("07720");
			});
	}

	@Test
	void usesThePrefixFromABean() {
		onH2().withBean(CompositePrefix.class, () -> (generator) -> generator.length())
			.withPropertyValues("ids.strategy=composite", "ids.generators.keys.strategy=composite")
			.run((context) -> {
				assertThat(context.getBean(IdGenerators.class).get("default").nextString()).startsWith("00720");
				assertThat(context.getBean(IdGenerators.class).get("keys").nextString()).startsWith("00420");
			});
		onH2().withBean(CompositePrefix.class, () -> (generator) -> 1_000)
			.withPropertyValues("ids.strategy=composite")
			.run((context) -> assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> context.getBean(IdGenerator.class).nextLong())
				.withMessageContaining("CompositePrefix"));
	}

	@Test
	void usesTheFixedNodeAndRejectsASecondInstance(CapturedOutput output) {
		ApplicationContextRunner runner = onH2().withPropertyValues("ids.strategy=snowflake", "ids.node.source=fixed",
				"ids.node.id=42", "ids.lease=5s");
		runner.run((context) -> {
			assertThat(drawAndDescribe(context.getBean(IdGenerator.class)).node()).isEqualTo(42);
			assertThat(output).contains("node 42 of 1,024 (fixed)");
			runner.run((second) -> assertThat(second).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(NodeUnavailableException.class)
				.hasMessageContaining("Node 42 of key space 'default' is in use by "));
		});
		runner.run((context) -> assertThat(drawAndDescribe(context.getBean(IdGenerator.class)).node())
			.as("the node is released")
			.isEqualTo(42));
	}

	@ParameterizedTest
	@CsvSource({ "orders-7, 7", "orders-blue-12, 12", "orders-3.orders.default.svc, 3", "app-1-2-3-4, 4" })
	void usesThePodNumberAsTheNode(String hostname, long number) {
		onH2().withPropertyValues("ids.strategy=snowflake", "ids.node.source=hostname", "HOSTNAME=" + hostname)
			.run((context) -> assertThat(drawAndDescribe(context.getBean(IdGenerator.class)).node()).isEqualTo(number));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ip-10-0-0-12.ec2.internal", "ip-10-0-0-12", "orders-7d4b9c6f5-24567", "orders-07",
			"orders", "7", "orders-7a" })
	void hostnamesWithoutAPodNumberAreRejected(String hostname) {
		onH2().withPropertyValues("ids.strategy=snowflake", "ids.node.source=hostname", "HOSTNAME=" + hostname)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("'" + hostname + "'"));
	}

	@Test
	void warnsThatNodesMayBeSharedWithoutAStore(CapturedOutput output) {
		withoutStore().withPropertyValues("ids.node.source=fixed", "ids.node.id=5").run((context) -> {
			assertThat(context).doesNotHaveBean(KeySpaceStore.class);
			assertThat(drawAndDescribe(context.getBean(IdGenerator.class)).node()).isEqualTo(5);
			assertThat(output).contains("has no store: ids repeat if another instance has the same node");
			assertThat(new IdsEndpoint(context.getBean(IdGenerators.class), null).ids().store().warnings())
				.singleElement()
				.asString()
				.contains("There is no store");
		});
	}

	@Test
	void createsNoTableWithoutAStore() {
		onH2()
			.withPropertyValues("ids.store=none", "ids.strategy=composite", "ids.node.source=hostname",
					"HOSTNAME=orders-7")
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextString()).startsWith("00720");
				assertThat(context.getBean(JdbcTemplate.class)
					.queryForObject("select count(*) from information_schema.tables where table_name = 'IDS_SLOT'",
							Integer.class))
					.isZero();
			});
	}

	@Test
	void memoryStoreAssignsNodes() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withPropertyValues("ids.store=memory", "ids.strategy=snowflake", "ids.generators.a.key-space=b")
			.run((context) -> {
				assertThat(drawAndDescribe(context.getBean(IdGenerators.class).get("default")).node()).isZero();
				assertThat(context.getBean(InMemoryKeySpaceStore.class).keySpaces()).containsOnlyKeys("default", "b");
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = {
			"ids.snowflake.time-bits=42;ids.snowflake.time-bits is 42 but adds up to 64 bits",
			"ids.snowflake.preset=javascript,ids.snowflake.tail-bits=8;ids.snowflake.tail-bits brings the total to 54 bits",
			"ids.snowflake.epoch=2999-01-01T00:00:00Z;ids.snowflake.epoch is 2999-01-01T00:00:00Z but must not be in the future",
			"ids.strategy=decimal-uid,ids.decimal-uid.random-digits=0;ids.decimal-uid.random-digits is 0",
			"ids.strategy=decimal-uid,ids.decimal-uid.node-digits=9;ids.decimal-uid.node-digits is 9",
			"ids.strategy=decimal-uid,ids.decimal-uid.epoch=2999-01-01T00:00:00Z;ids.decimal-uid.epoch is 2999",
			"ids.strategy=composite,ids.composite.prefix=1000;ids.composite.prefix is 1000 but must be from 0 to 999",
			"ids.strategy=composite,ids.composite.prefix=-1;ids.composite.prefix is -1",
			"ids.strategy=composite,ids.composite.prefix=1,ids.composite.sequence-digits=1;ids.composite.sequence-digits is 1",
			"ids.strategy=composite,ids.composite.prefix-digits=0;ids.composite.prefix-digits is 0",
			"ids.clock.max-ahead=-1s;ids.clock.max-ahead is -1s", "ids.clock.max-skew=1ms;ids.clock.max-skew is 1ms",
			"ids.lease=10ms;ids.lease is 10ms", "ids.node.source=fixed;ids.node.id is not set",
			"ids.node.source=fixed,ids.node.id=1024;ids.node.id is 1024, but the last node of the layout is 1023",
			"ids.node.source=fixed,ids.node.id=-1;ids.node.id is -1, but the last node of the layout is 1023",
			"ids.node.id=3;ids.node.id is 3, but ids.node.source=lease selects",
			"ids.node.source=hostname,ids.node.id=3,HOSTNAME=orders-4;ids.node.id is 3, but ids.node.source=hostname derives",
			"ids.node.source=hostname,HOSTNAME=web;the name of this host is 'web', which does not end in the ordinal",
			"ids.node.source=hostname,HOSTNAME=orders-1024;orders-1024', but the last node of the layout is 1023",
			"ids.generators.a.strategy=composite,ids.generators.a.composite.sequence-digits=-1;ids.generators.a.composite.sequence-digits is -1" })
	void invalidSettingsAreReported(String properties, String message) {
		onH2().withPropertyValues("ids.strategy=snowflake")
			.withPropertyValues(properties.split(","))
			.run((context) -> assertThat(context).hasFailed().getFailure().hasStackTraceContaining(message));
	}

	@ParameterizedTest
	@ValueSource(strings = { "2024-01-01T00:00:00", "2024-01-01", "yesterday" })
	void epochThatIsNotAnInstantWithAnOffsetIsRejected(String epoch) {
		onH2().withPropertyValues("ids.strategy=snowflake", "ids.snowflake.epoch=" + epoch)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("ids.snowflake.epoch")
				.hasStackTraceContaining(epoch));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "ids.node.source=lease;ids.node.source is lease, but ids.store is none",
			"ids.strategy=coprime;ids.strategy is coprime, which needs a store, but ids.store is none",
			"ids.strategy=gapless;ids.strategy is gapless, but there is no database",
			"ids.generators.a.strategy=recycled,ids.node.source=fixed,ids.node.id=1;ids.generators.a.strategy is recycled, which needs a store" })
	void settingsThatNeedAStoreAreReported(String properties, String message) {
		withoutStore().withPropertyValues(properties.split(","))
			.run((context) -> assertThat(context).hasFailed().getFailure().hasStackTraceContaining(message));
	}

	@Test
	void startupFailsWhenTheLayoutHasEndedAndSucceedsAfterACorrection() {
		ApplicationContextRunner runner = onH2().withPropertyValues("ids.strategy=snowflake");
		runner.withPropertyValues("ids.snowflake.epoch=1970-01-01T00:00:00Z", "ids.snowflake.time-bits=40")
			.run((context) -> {
				assertThat(context).hasFailed();
				Throwable cause = rootCause(context.getStartupFailure());
				assertThat(cause).isInstanceOf(IdSetupException.class).hasMessageContaining("2004-11-03T19:53:47.775Z");
				FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
					.analyze(context.getStartupFailure());
				assertThat(analysis.getAction()).contains("ids.key-space");
			});
		// the failed startup has stored no definition that would conflict with the
		// corrected one
		runner.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void changedLayoutMakesStartupFail() {
		ApplicationContextRunner runner = onH2().withPropertyValues("ids.strategy=snowflake");
		runner.run((context) -> assertThat(context).hasNotFailed());
		for (String change : List.of("ids.snowflake.epoch=2024-01-02T00:00:00Z", "ids.snowflake.preset=twitter",
				"ids.snowflake.node-bits=9", "ids.snowflake.format=hex", "ids.strategy=decimal-uid",
				"ids.strategy=coprime")) {
			runner.withPropertyValues(change)
				.run((context) -> assertThat(context).hasFailed()
					.getFailure()
					.rootCause()
					.isInstanceOf(KeySpaceMismatchException.class));
		}
		runner.withPropertyValues("ids.snowflake.tail=random")
			.run((context) -> assertThat(context).as("the tail setting may change").hasNotFailed());
	}

	@Test
	void failureExplainsThatAllNodesAreInUse() {
		ApplicationContextRunner runner = onH2().withPropertyValues("ids.strategy=snowflake",
				"ids.snowflake.node-bits=0");
		runner.run((first) -> runner.run((second) -> {
			assertThat(second).hasFailed();
			FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
				.analyze(second.getStartupFailure());
			assertThat(analysis.getDescription())
				.contains("No node of key space 'default' is free: node 0 is owned by ")
				.contains("The next node is free in ");
			assertThat(analysis.getAction()).contains("ids.lease");
		}));
		runner.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void startupFailsWhenTheClockDiffersFromThatOfTheDatabase() {
		TestTimeSource differentTime = new TestTimeSource();
		onH2().withBean(TimeSource.class, () -> differentTime)
			.withPropertyValues("ids.strategy=snowflake")
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(rootCause(context.getStartupFailure())).isInstanceOf(ClockException.class);
				FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
					.analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("behind the clock of the store");
				assertThat(analysis.getAction()).contains("NTP").contains("ids.clock.max-skew");
			});
	}

	/**
	 * The store responds after startup has timed out.
	 */
	@Test
	void closesAGeneratorOpenedAfterTheTimeout() {
		InMemorySlotStore slots = new InMemorySlotStore(TimeSource.system());
		CountDownLatch startupTimedOut = new CountDownLatch(1);
		CountDownLatch slotReleased = new CountDownLatch(1);
		SlotStore slowSlots = new UnreliableSlotStore(slots) {

			@Override
			public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
				Awaitility.await().untilAsserted(() -> assertThat(startupTimedOut.getCount()).isZero());
				return super.claim(keySpace, space, owner, Deadline.after(TimeSource.system(), Duration.ofMinutes(1)));
			}

			@Override
			public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
				boolean released = super.release(keySpace, slot, owner, position, deadline);
				slotReleased.countDown();
				return released;
			}

		};
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withBean(KeySpaceStore.class, InMemoryKeySpaceStore::new)
			.withBean(SlotStore.class, () -> slowSlots)
			.withPropertyValues("ids.strategy=snowflake", "ids.lease=1s", "ids.block.wait-timeout=100ms")
			.run((context) -> {
				assertThat(context).hasFailed();
				startupTimedOut.countDown();
				assertThat(slotReleased.await(60, TimeUnit.SECONDS)).isTrue();
			});
	}

	private static Throwable rootCause(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return cause;
	}

}
