package dev.idspring.autoconfigure;

import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.testsupport.FailingKeySpaceStore;
import dev.idspring.testsupport.RequiresSpringBoot;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link IdsAutoConfiguration}, with the in-memory store.
 */
class IdsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void defaultGeneratorUsesTheCoprimeStrategyWithSixCharacters() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(IdGenerator.class).hasBean("idGenerator");
			IdGenerator ids = context.getBean(IdGenerator.class);
			assertThat(ids.name()).isEqualTo("default");
			assertThat(List.of(ids.nextString(), ids.nextString())).containsExactly("000000", "zcDK0x");
			assertThat(context.getBean(IdGenerators.class).names()).containsExactly("default");
		});
	}

	@Test
	void createsNoBeansWhenDisabled() {
		this.contextRunner.withPropertyValues("ids.enabled=false", "ids.generators.orders.strategy=coprime")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(IdGenerator.class)
				.doesNotHaveBean(IdGenerators.class)
				.doesNotHaveBean(KeySpaceStore.class)
				.doesNotHaveBean(IdGeneratorFactory.class));
	}

	@Test
	void memoryStoreMustBeConfiguredExplicitly() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("ids.store")
				.hasMessageContaining("spring.datasource.url"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "memory", "MEMORY", "Memory", "me-mory" })
	void anySpellingOfAStoreIsAccepted(String spelling) {
		this.contextRunner.withPropertyValues("ids.store=" + spelling)
			.run((context) -> assertThat(context).hasSingleBean(InMemoryKeySpaceStore.class));
	}

	@ParameterizedTest
	@CsvSource({ "strategy,coprim,ids.strategy", "store,disk,ids.store", "block.size,many,ids.block.size",
			"block.wait-timeout,long,ids.block.wait-timeout", "output,xml,ids.output",
			"columns.watch,maybe,ids.columns.watch" })
	void unknownValueMakesStartupFailAndIsReported(String property, String value, String expectedProperty) {
		this.contextRunner.withPropertyValues("ids." + property + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining(expectedProperty)
				.hasStackTraceContaining(value));
	}

	@ParameterizedTest
	@CsvSource({ "ids.output,xml", "ids.columns.watch,maybe" })
	void unknownValueInASourceThatCannotListItsPropertiesIsReported(String property, String value) {
		this.contextRunner.withInitializer(
				(context) -> context.getEnvironment().getPropertySources().addLast(new PropertySource<>("x") {

					@Override
					public @Nullable Object getProperty(String name) {
						return name.equals(property) ? value : null;
					}

				}))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining(property)
				.hasStackTraceContaining(value));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "ids.block.size=0;ids.block.size;at least 1",
			"ids.block.max-size=5;ids.block.max-size;1000", "ids.block.wait-timeout=99ms;ids.block.wait-timeout;100ms",
			"ids.block.outage-reserve=-1s;ids.block.outage-reserve;0s",
			"ids.health.low-remaining=lots;ids.health.low-remaining;percentage",
			"ids.health.low-remaining=101%;ids.health.low-remaining;100%", "ids.coprime.length=0;ids.coprime.length;1",
			"ids.coprime.length=11;ids.coprime.length;2^62", "ids.coprime.max-length=11;ids.coprime.max-length;2^62",
			"ids.coprime.max-length=5;ids.coprime.max-length;at least",
			"ids.coprime.multiplier=62;ids.coprime.multiplier;coprime",
			"ids.coprime.offset=-1;ids.coprime.offset;from 0",
			"ids.coprime.alphabet=base64;ids.coprime.alphabet;base62",
			"ids.coprime.alphabet=aa;ids.coprime.alphabet;distinct", "ids.key-space=ä;ids.key-space;ASCII" })
	void valueOutOfRangeIsReportedWithItsPropertyAndARemedy(String property, String expectedProperty, String remedy) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.satisfies((cause) -> assertThat(setupFailure(context)).isNotNull())
				.satisfies((cause) -> assertThat(setupFailure(context).getMessage()).contains(expectedProperty)
					.contains(remedy)));
	}

	private static IdSetupException setupFailure(AssertableApplicationContext context) {
		Throwable failure = context.getStartupFailure();
		while (failure != null && !(failure instanceof IdSetupException)) {
			failure = failure.getCause();
		}
		return (IdSetupException) failure;
	}

	@Test
	void presetReplacesTheDefaultsAndConflictsWithOtherSettings() {
		this.contextRunner.withPropertyValues("ids.coprime.preset=park-miller")
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("16807"));
		this.contextRunner.withPropertyValues("ids.coprime.preset=PARK_MILLER", "ids.coprime.length=7")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("ids.coprime.length")
				.hasMessageContaining("ids.coprime.preset"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = {
			"ids.coprime.preset; ids.generators.codes.coprime.length; set ids.generators.codes.coprime.preset to an empty value.",
			"ids.coprime.preset; ids.generators.codes.text.length; set ids.generators.codes.coprime.preset to an empty value.",
			"ids.generators.codes.coprime.preset; ids.generators.codes.text.max-length; Remove one of them",
			"ids.generators.codes.coprime.preset; ids.text.length; set it for each of them, under ids.generators." })
	void settingThatAPresetReplacesIsRejectedWithARemedy(String preset, String replaced, String remedy) {
		this.contextRunner
			.withPropertyValues("ids.generators.codes.strategy=coprime", preset + "=park-miller", replaced + "=8")
			.run((context) -> {
				IdSetupException failure = setupFailure(context);
				assertThat(failure.getProblem())
					.isEqualTo(replaced + " is set together with " + preset + ", which is park-miller.");
				assertThat(failure.getRemedy()).contains(remedy);
			});
	}

	@Test
	void emptyValueReplacesAnInheritedPreset() {
		this.contextRunner
			.withPropertyValues("ids.coprime.preset=park-miller", "ids.generators.codes.coprime.length=8",
					"ids.generators.codes.coprime.preset=")
			.run((context) -> assertThat(context.getBean(IdGenerators.class).get("codes").nextString()).hasSize(8));
	}

	@Test
	void inheritedLengthOfCoprimeIsIgnoredUnderAPreset() {
		this.contextRunner.withPropertyValues("ids.coprime.length=8", "ids.generators.codes.coprime.preset=park-miller")
			.run((context) -> assertThat(context.getBean(IdGenerators.class).get("codes").nextString())
				.isEqualTo("16807"));
	}

	@Test
	void namedGeneratorsInheritUnsetProperties() {
		this.contextRunner
			.withPropertyValues("ids.coprime.alphabet=base36", "ids.coprime.length=7", "ids.key-space=shared",
					"ids.generators.orders.coprime.length=4", "ids.generators.orders.coprime.max-length=5",
					"ids.generators.line-items.key-space=items")
			.run((context) -> {
				assertThat(definition(context, "default")).contains("length=7")
					.endsWith("0123456789abcdefghijklmnopqrstuvwxyz");
				assertThat(definition(context, "orders")).contains("length=4")
					.endsWith("0123456789abcdefghijklmnopqrstuvwxyz");
				assertThat(definition(context, "line-items")).contains("length=7");
				assertThat(snapshot(context, "orders").keySpace().capacity())
					.isEqualTo(BigInteger.valueOf(36).pow(4).add(BigInteger.valueOf(36).pow(5)));
				assertThat(context.getBean(InMemoryKeySpaceStore.class).keySpaces().keySet())
					.containsExactlyInAnyOrder("shared", "orders", "items");
			});
	}

	@Test
	void namedGeneratorsAreFoundByQualifierByParameterNameAndByName() {
		this.contextRunner
			.withPropertyValues("ids.generators.orders.coprime.length=8", "ids.generators.line-items.coprime.length=9")
			.withUserConfiguration(Consumers.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(Orders.class).names).containsExactly("default", "default", "orders",
						"orders", "line-items", "line-items");
				IdGenerators generators = context.getBean(IdGenerators.class);
				assertThat(generators.names()).containsExactly("default", "orders", "line-items");
				assertThat(generators).extracting(IdGenerator::name).containsExactly("default", "orders", "line-items");
				assertThatIllegalArgumentException().isThrownBy(() -> generators.get("order"))
					.withMessageContaining("orders")
					.withMessageContaining("line-items");
			});
	}

	@Test
	void namedGeneratorsAreVisibleToConditions() {
		this.contextRunner.withPropertyValues("ids.generators.orders.coprime.length=8")
			.withConfiguration(AutoConfigurations.of(LaterAutoConfiguration.class))
			.run((context) -> assertThat(context).hasBean("ordersGeneratorExists"));
	}

	@RequiresSpringBoot(version = "4.1", because = "an empty map in YAML does not count as a property before 4.1")
	@Test
	void namedGeneratorNeedsNoProperties() throws Exception {
		var yaml = new YamlPropertySourceLoader().load("yaml",
				new ByteArrayResource("ids:\n  generators:\n    orders: {}\n    items:\n".getBytes()));
		this.contextRunner
			.withInitializer((context) -> yaml.forEach(context.getEnvironment().getPropertySources()::addFirst))
			.run((context) -> assertThat(context.getBean(IdGenerators.class).names()).containsExactly("default",
					"orders", "items"));
	}

	@Test
	void namedGeneratorsBindFromTheEnvironment() {
		this.contextRunner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
						Map.of("IDS_GENERATORS_ORDERS_COPRIME_LENGTH", "9"))))
			.run((context) -> assertThat(definition(context, "orders")).contains("length=9"));
	}

	@Test
	void twoGeneratorsWithTheSameKeySpaceMakeStartupFail() {
		this.contextRunner
			.withPropertyValues("ids.generators.orders.key-space=same", "ids.generators.items.key-space=same")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'orders'")
				.hasMessageContaining("'items'")
				.hasMessageContaining("'same'")
				.hasMessageContaining("ids.generators.items.key-space"));
	}

	@Test
	void lazyGeneratorIsCreatedAfterTheStoreBecomesAvailable() {
		FailingKeySpaceStore store = new FailingKeySpaceStore();
		store.failWith(new IdStoreUnavailableException("simulated outage"));
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withBean(KeySpaceStore.class, () -> store)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(BeanCreationException.class)
					.isThrownBy(() -> context.getBean(IdGenerator.class))
					.havingRootCause()
					.withMessage("simulated outage");
				store.failWith(null);
				assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.generators.default.coprime.length=7", "ids.generators.Default.coprime.length=7",
			"ids.generators[a.b].coprime.length=7" })
	void unusableNameMakesStartupFail(String property) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(context).hasFailed().getFailure().hasStackTraceContaining("ids.generators"));
	}

	@Test
	void invalidValueIsReportedUnderThePropertyThatSetsIt() {
		this.contextRunner.withPropertyValues("ids.generators.orders.block.size=0")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("ids.generators.orders.block.size is 0"));
		this.contextRunner.withPropertyValues("ids.block.size=0", "ids.generators.orders.block.wait-timeout=1s")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("ids.block.size is 0"));
	}

	@Test
	void userDefinedGeneratorReplacesTheDefaultOne() {
		this.contextRunner.withBean("mine", IdGenerator.class, FixedGenerator::new)
			.withPropertyValues("ids.generators.orders.coprime.length=8")
			.run((context) -> {
				assertThat(context).doesNotHaveBean("idGenerator").hasBean("ordersIdGenerator");
				assertThat(context.getBean(IdGenerators.class).names()).containsExactlyInAnyOrder("mine", "orders");
			});
	}

	@Test
	void userDefinedGeneratorReplacesTheNamedOneWithTheSameBeanName() {
		this.contextRunner.withBean("ordersIdGenerator", IdGenerator.class, FixedGenerator::new)
			.withPropertyValues("ids.generators.orders.coprime.length=8")
			.run((context) -> assertThat(context.getBean("ordersIdGenerator")).isInstanceOf(FixedGenerator.class));
	}

	@Test
	void userDefinedStoreIsUsed() {
		InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withBean(KeySpaceStore.class, () -> store)
			.run((context) -> {
				context.getBean(IdGenerator.class).nextLong();
				assertThat(store.keySpaces()).containsKey("default");
			});
	}

	@Test
	void userDefinedIdGeneratorsBeanIsUsed() {
		IdGenerators mine = new DefaultIdGenerators(Map.of(), Map.of(), null);
		this.contextRunner.withBean(IdGenerators.class, () -> mine)
			.run((context) -> assertThat(context.getBean(IdGenerators.class)).isSameAs(mine));
	}

	@Test
	void customizersAreAppliedInOrderAfterTheProperties() {
		this.contextRunner.withUserConfiguration(Customizers.class)
			.withPropertyValues("ids.key-space=from-properties")
			.run((context) -> assertThat(context.getBean(InMemoryKeySpaceStore.class).keySpaces().keySet())
				.containsExactly("default-second"));
	}

	@Test
	void twoContextsWithOneStoreIssueDistinctIds() {
		InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();
		ApplicationContextRunner shared = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withBean(KeySpaceStore.class, () -> store);
		shared.run((first) -> shared.run((second) -> {
			long[] firstIds = first.getBean(IdGenerator.class).nextLongs(1_500);
			long[] secondIds = second.getBean(IdGenerator.class).nextLongs(1_500);
			assertThat(firstIds).doesNotContain(secondIds);
		}));
		shared.run((third) -> assertThat(third.getBean(IdGenerator.class).describe(0).reserved()).isTrue());
	}

	@Test
	void contextsInOneJvmShareTheMemoryStore() {
		this.contextRunner.run((first) -> {
			this.contextRunner.run((second) -> assertThat(first.getBean(IdGenerator.class).nextLongs(1_500))
				.doesNotContain(second.getBean(IdGenerator.class).nextLongs(1_500)));
			this.contextRunner.run((third) -> assertThat(first.getBean(IdGenerator.class).nextLongs(1_500))
				.doesNotContain(third.getBean(IdGenerator.class).nextLongs(1_500)));
		});
	}

	@Test
	void nodesInOneJvmAreDistinct() {
		ApplicationContextRunner snowflake = this.contextRunner.withPropertyValues("ids.strategy=snowflake");
		snowflake.run((first) -> snowflake
			.run((second) -> assertThat(List.of(node(first), node(second))).containsExactlyInAnyOrder(0L, 1L)));
	}

	private static long node(AssertableApplicationContext context) {
		IdGenerator ids = context.getBean(IdGenerator.class);
		return ids.describe(ids.nextLong()).node();
	}

	@Test
	void closingTheLastContextDiscardsTheMemoryStore() {
		// a closed context gives back the ids that it has not issued, so a kept store
		// would continue with the second id
		this.contextRunner
			.run((first) -> assertThat(first.getBean(IdGenerator.class).nextString()).isEqualTo("000000"));
		this.contextRunner
			.run((second) -> assertThat(second.getBean(IdGenerator.class).nextString()).isEqualTo("000000"));
	}

	@Test
	void memoryStoresOfAnAbandonedContextAreFreed() {
		WeakReference<MemoryStores> abandoned = new WeakReference<>(MemoryStores.open(TimeSource.system()));
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(abandoned.get()).isNull();
		});
	}

	@Test
	void closedContextHasNoThreadsAndHasGivenBackReservedIds() {
		InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withBean(KeySpaceStore.class, () -> store)
			.withPropertyValues("ids.generators.leaving.coprime.length=8")
			.run((context) -> context.getBean("leavingIdGenerator", IdGenerator.class).nextLongs(3));
		assertThat(store.keySpaces().get("leaving").nextOrdinal()).isEqualTo(3);
		Awaitility.await()
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.doesNotContain("ids-store-leaving"));
	}

	private static String definition(AssertableApplicationContext context, String name) {
		return snapshot(context, name).definition();
	}

	private static GeneratorSnapshot snapshot(AssertableApplicationContext context, String name) {
		return ((ManagedIdGenerator) context.getBean(IdGenerators.class).get(name)).snapshot();
	}

	@Configuration(proxyBeanMethods = false)
	static class Consumers {

		@Bean
		Orders orders(IdGenerator ids, @Qualifier("default") IdGenerator qualifiedDefault,
				@Qualifier("orders") IdGenerator qualified, IdGenerator ordersIdGenerator,
				@Qualifier("line-items") IdGenerator items, IdGenerator lineItemsIdGenerator) {
			return new Orders(ids, qualifiedDefault, qualified, ordersIdGenerator, items, lineItemsIdGenerator);
		}

	}

	static class Orders {

		private final List<String> names;

		Orders(IdGenerator... generators) {
			this.names = Arrays.stream(generators).map(IdGenerator::name).toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureAfter(IdsAutoConfiguration.class)
	static class LaterAutoConfiguration {

		@Bean
		@ConditionalOnBean(name = "ordersIdGenerator")
		String ordersGeneratorExists() {
			return "yes";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@Order(2)
		IdGeneratorBuilderCustomizer<BlockIdGenerator.Builder> second() {
			return (builder) -> builder.keySpaceName(builder.name() + "-second")
				.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(1), Duration.ZERO));
		}

		@Bean
		@Order(1)
		IdGeneratorBuilderCustomizer<IdGeneratorBuilder<?>> first() {
			return (builder) -> builder.keySpaceName(builder.name() + "-first");
		}

	}

	private static final class FixedGenerator implements IdGenerator {

		@Override
		public String name() {
			return "mine";
		}

		@Override
		public long nextLong() {
			return 1;
		}

		@Override
		public String nextString() {
			return "1";
		}

		@Override
		public long[] nextLongs(int count) {
			return new long[count];
		}

		@Override
		public void nextLongs(long[] into) {
		}

		@Override
		public List<String> nextStrings(int count) {
			return List.of();
		}

		@Override
		public UUID toUuid(long id) {
			return new UUID(0, id);
		}

		@Override
		public long fromUuid(UUID uuid) {
			return uuid.getLeastSignificantBits();
		}

		@Override
		public String format(long id) {
			return Long.toString(id);
		}

		@Override
		public long parse(String text) {
			return Long.parseLong(text);
		}

		@Override
		public IdDescription describe(long id) {
			return IdDescription.ofOrdinal(id, format(id), id, true);
		}

	}

}
