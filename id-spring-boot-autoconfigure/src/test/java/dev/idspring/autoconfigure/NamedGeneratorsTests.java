package dev.idspring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.TimeIdGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for generators under {@code ids.generators}: which properties they inherit and
 * override, and how customizers change them.
 */
@ExtendWith(OutputCaptureExtension.class)
class NamedGeneratorsTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
				IdsAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + TestDatabase.h2().url());

	@ParameterizedTest
	@MethodSource("properties")
	void unsetPropertyIsInheritedUnlessItBelongsToOneKeySpace(Property property) {
		Map<String, Object> inherited = values(bind("orders", Map.of("ids." + property.name(), property.value())));
		Map<String, Object> expected = values(bind("default", Map.of("ids." + property.name(), property.value())));
		Map<String, Object> defaults = values(bind("default", Map.of()));
		assertThat(expected.get(property.name())).as("the test value differs from the default")
			.isNotNull()
			.isNotEqualTo(defaults.get(property.name()));
		// properties that are not inherited, because they apply to one key space
		boolean belongsToOneKeySpace = Set.of("key-space", "scoped", "uuid.identity", "verify-column")
			.contains(property.name());
		assertThat(inherited).isEqualTo(belongsToOneKeySpace ? defaults : expected);
	}

	@ParameterizedTest
	@MethodSource("properties")
	void setPropertyOverridesTheInheritedOne(Property property) {
		Map<String, Object> settings = Map.of("ids." + property.name(), property.value(),
				"ids.generators.orders." + property.name(), property.otherValue(), "ids.generators.items.strategy",
				"coprime");
		Map<String, Object> expected = values(bind("default", Map.of("ids." + property.name(), property.otherValue())));
		assertThat(values(bind("orders", settings))).isEqualTo(expected);
		assertThat(values(bind("default", settings)))
			.isEqualTo(values(bind("default", Map.of("ids." + property.name(), property.value()))));
	}

	@ParameterizedTest
	@MethodSource("properties")
	void emptyPropertyCountsAsNotSetUnlessItIsASecretOrAPreset(Property property) {
		Map<String, Object> inherited = Map.of("ids." + property.name(), property.value());
		List.of("", "${unset:}").forEach((empty) -> {
			Map<String, Object> settings = Map.of("ids." + property.name(), property.value(),
					"ids.generators.orders." + property.name(), empty);
			boolean setIfEmpty = Set.of("text.secret", "coprime.preset").contains(property.name());
			assertThat(values(bind("orders", settings)).equals(values(bind("orders", inherited))))
				.isEqualTo(!setIfEmpty);
		});
	}

	@ParameterizedTest
	@MethodSource("properties")
	void emptyPropertyOfTheDefaultGeneratorCountsAsNotSetUnlessItIsASecret(Property property) {
		boolean setIfEmpty = property.name().equals("text.secret");
		Map<String, Object> defaults = values(bind("default", Map.of()));
		List.of("", "${unset:}").forEach((empty) -> {
			Map<String, Object> settings = Map.of("ids." + property.name(), empty);
			assertThat(values(bind("default", settings)).equals(defaults)).as(property.name()).isEqualTo(!setIfEmpty);
			assertThat(values(bind("orders", settings)).equals(defaults)).as(property.name()).isEqualTo(!setIfEmpty);
		});
	}

	@Test
	void emptyListOfSecretsRemovesNoInheritedSecret() {
		assertThat(
				bind("orders", Map.of("ids.text.secrets[0].key", "a", "ids.generators.orders.text.secrets", "")).text()
					.secrets())
			.hasSize(1);
	}

	/**
	 * There must be test values for all properties except the list of secrets, and two
	 * different values for each property that allows them.
	 */
	@Test
	void testValuesCoverAllPropertiesOfTheBinder() {
		assertThat(properties()).extracting(Property::name)
			.containsExactlyElementsOf(ConfigurationCheck.names(GeneratorProperties.class, "")
				.stream()
				.filter((name) -> !name.startsWith("text.secrets."))
				.toList())
			.hasSizeGreaterThan(35)
			.contains("strategy", "coprime.preset", "decimal-uid.signed", "health.low-horizon", "node.id");
		assertThat(properties()).filteredOn((property) -> property.value().equals(property.otherValue()))
			.extracting(Property::name)
			.containsExactly("coprime.preset");
	}

	@Test
	void listOfSecretsIsInheritedOrReplacedAsAWhole() {
		Map<String, Object> settings = Map.of("ids.text.secrets[0].key", "a", "ids.text.secrets[1].key", "b",
				"ids.text.secrets[1].from", "9", "ids.generators.orders.text.secrets[0].key", "c",
				"ids.generators.items.strategy", "sequential");
		assertThat(bind("items", settings).text().secrets()).extracting(GeneratorProperties.SecretKey::key)
			.containsExactly("a", "b");
		assertThat(bind("orders", settings).text().secrets()).extracting(GeneratorProperties.SecretKey::key)
			.containsExactly("c");
	}

	@ParameterizedTest
	@ValueSource(strings = { "product-codes", "productCodes", "product_codes", "PRODUCT_CODES", "productcodes" })
	void generatorIsFoundByAnySpellingOfItsName(String name) {
		this.contextRunner
			.withPropertyValues("ids.generators.product-codes.strategy=sequential",
					"ids.generators.product.strategy=coprime")
			.run((context) -> {
				IdGenerators generators = context.getBean(IdGenerators.class);
				assertThat(generators.get(name)).isSameAs(context.getBean("productCodesIdGenerator"));
				assertThat(generators.get("DEFAULT").name()).isEqualTo("default");
				assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> generators.get("codes"))
					.withMessageContaining("known: default, product-codes, product");
			});
	}

	@Test
	void messageListsAtMostTwentyNames() {
		List<String> names = IntStream.range(0, 100).mapToObj((i) -> "n" + i).toList();
		assertThat(GeneratorNames.listed(names)).startsWith("n0, n1, ").endsWith(", n19 and 80 more");
		assertThat(GeneratorNames.listed(names.subList(0, 20))).endsWith(", n19");
		assertThat(GeneratorNames.listed(List.of())).isEqualTo("none");
	}

	@ParameterizedTest
	@EnumSource
	void everyStrategyIsInheritedAndOverridden(Strategy strategy) {
		Strategy otherStrategy = Strategy.values()[(strategy.ordinal() + 1) % Strategy.values().length];
		this.contextRunner
			.withPropertyValues("ids.strategy=" + strategy.id(), "ids.health.low-horizon=1d",
					"ids.generators.inheriting.health.low-remaining=5%",
					"ids.generators.overriding.strategy=" + otherStrategy.id())
			.run((context) -> {
				assertThat(snapshot(context, "default").strategy()).isEqualTo(strategy.id());
				assertThat(snapshot(context, "inheriting").strategy()).isEqualTo(strategy.id());
				assertThat(snapshot(context, "inheriting").keySpace().name()).isEqualTo("inheriting");
				assertThat(snapshot(context, "overriding").strategy()).isEqualTo(otherStrategy.id());
			});
	}

	@ParameterizedTest
	@EnumSource
	void customizersApplyToEveryStrategyByNameAndInOrder(Strategy strategy) {
		this.contextRunner.withUserConfiguration(Customizers.class)
			.withPropertyValues("ids.generators.orders.strategy=" + strategy.id())
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(snapshot(context, "orders").keySpace().name()).isEqualTo("first-second");
				assertThat(snapshot(context, "default").keySpace().name()).isEqualTo("default");
				Class<?> builder = switch (strategy) {
					case COPRIME, SEQUENTIAL, RECYCLED -> BlockIdGenerator.Builder.class;
					case GAPLESS -> GaplessIdGenerator.Builder.class;
					case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> TimeIdGenerator.Builder.class;
				};
				assertThat(context.getBean(CustomizedBuilders.class).builders()).containsExactly(builder,
						BlockIdGenerator.Builder.class);
				assertThat(context.getBean(CustomizedBuilders.class).strategies()).contains(strategy.id());
			});
	}

	@Test
	void listenersOfAllCustomizersAreCalled() {
		List<String> claimed = new ArrayList<>();
		IdGeneratorBuilderCustomizer<TimeIdGenerator.Builder> first = new RecordingCustomizer("first", claimed);
		IdGeneratorBuilderCustomizer<TimeIdGenerator.Builder> second = new RecordingCustomizer("second", claimed);
		this.contextRunner.withBean("first", IdGeneratorBuilderCustomizer.class, () -> first)
			.withBean("second", IdGeneratorBuilderCustomizer.class, () -> second)
			.withPropertyValues("ids.generators.events.strategy=snowflake")
			.run((context) -> assertThat(claimed).containsExactly("first events", "second events"));
	}

	@Test
	void startupFailsWhenACustomizerSetsAKeySpaceInUse() {
		this.contextRunner.withUserConfiguration(ClashingCustomizer.class)
			.withPropertyValues("ids.generators.orders.strategy=gapless")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'default'")
				.hasMessageContaining("'orders' (gapless) because of a customizer"));
	}

	@Test
	void environmentVariableAppliesToTheGeneratorWhoseNameIsSpelledDifferently() {
		for (String name : List.of("order-items", "orderItems", "order_items")) {
			StandardEnvironment environment = environment(Map.of("ids.generators." + name + ".strategy", "sequential"),
					Map.of("IDS_GENERATORS_ORDERITEMS_BLOCK_SIZE", "77"));
			GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
			assertThat(binder.names()).containsExactly(name);
			assertThat(binder.bind(name).block().size()).isEqualTo(77);
			assertThat(binder.bind(name).strategy()).isEqualTo(Strategy.SEQUENTIAL);
		}
	}

	@Test
	void environmentVariableWithUnderscoresForDashesCreatesNoOtherGenerator() {
		StandardEnvironment environment = environment(Map.of("ids.generators.product-codes.strategy", "sequential"),
				Map.of("IDS_GENERATORS_PRODUCT_CODES_BLOCK_SIZE", "2000"));
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		assertThat(binder.names()).containsExactly("product-codes");
		assertThat(binder.bind("product-codes").block().size()).isEqualTo(2000);
	}

	@Test
	void environmentVariableAppliesToTheGeneratorWhoseNameHasUnderscores() {
		StandardEnvironment environment = environment(Map.of("ids.generators.order_items.strategy", "sequential"), Map
			.of("IDS_GENERATORS_ORDER_ITEMS_BLOCK_SIZE", "77", "IDS_GENERATORS_ORDER_ITEMS_TEXT_SECRET", "a-secret"));
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		assertThat(binder.names()).containsExactly("order_items");
		assertThat(binder.bind("order_items").strategy()).isEqualTo(Strategy.SEQUENTIAL);
		assertThat(binder.bind("order_items").block().size()).isEqualTo(77);
		assertThat(binder.bind("order_items").text().secret()).isEqualTo("a-secret");
		assertThat(binder.isOwn("order_items", "text.secret")).isTrue();
	}

	@Test
	void environmentVariableBelongsToTheGeneratorWithTheLongestName() {
		StandardEnvironment environment = environment(
				Map.of("ids.generators.product.block.size", "7", "ids.generators.product-codes.block.size", "8"),
				Map.of("IDS_GENERATORS_PRODUCT_CODES_BLOCK_MAX_SIZE", "2000"));
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		assertThat(binder.names()).containsExactlyInAnyOrder("product", "product-codes");
		assertThat(binder.bind("product-codes").block().maxSize()).isEqualTo(2000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "IDS_GENERATORS_PRODUCT_CODES_BLOCK_SIZE", "IDS_GENERATORS_PRODUCT_STRATEGIE" })
	void environmentVariableWithoutAPropertyCreatesNoGeneratorAndIsLogged(String variable, CapturedOutput output) {
		StandardEnvironment environment = environment(Map.of("ids.generators.productCodes.strategy", "sequential"),
				Map.of(variable, "2000"));
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		assertThat(binder.names()).containsExactly("productCodes");
		new ConfigurationCheck(binder).run();
		assertThat(output).contains("has no effect: it is not a property of any id generator");
	}

	@Test
	void environmentVariableOfAnotherStrategyIsRejected() {
		StandardEnvironment environment = environment(Map.of("ids.generators.product-codes.strategy", "sequential"),
				Map.of("IDS_GENERATORS_PRODUCT_CODES_COPRIME_LENGTH", "7"));
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> new ConfigurationCheck(new GeneratorPropertiesBinder(environment)).run())
			.withMessageContaining("ids.generators.product.codes.coprime.length has no effect")
			.withMessageContaining("ids.generators.product-codes.strategy");
	}

	@Test
	void environmentVariableAloneCreatesAGenerator() {
		StandardEnvironment environment = environment(Map.of(), Map.of("IDS_GENERATORS_ORDERS_STRATEGY", "gapless"));
		assertThat(new GeneratorPropertiesBinder(environment).names()).containsExactly("orders");
	}

	@ParameterizedTest
	@CsvSource({ "order-items, order_items", "orders, Orders", "orderLines, order-lines", "orderlines, order-lines" })
	void namesThatSpringBootTreatsAsEqualAreRejected(String firstName, String secondName) {
		Map<String, Object> settings = new LinkedHashMap<>();
		settings.put("ids.generators." + firstName + ".strategy", "sequential");
		settings.put("ids.generators." + secondName + ".strategy", "gapless");
		assertRejected(environment(settings, Map.of()), firstName, secondName);
		StandardEnvironment layered = environment(Map.of("ids.generators." + firstName + ".block.size", "7"), Map.of());
		layered.getPropertySources()
			.addLast(new MapPropertySource("more", Map.of("ids.generators." + secondName + ".block.size", "7")));
		assertRejected(layered, firstName, secondName);
	}

	private static void assertRejected(StandardEnvironment environment, String firstName, String secondName) {
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> new GeneratorPropertiesBinder(environment).names())
			.withMessageContaining("ids.generators." + firstName)
			.withMessageContaining("ids.generators." + secondName)
			.withMessageContaining("are the same name");
	}

	@ParameterizedTest
	@ValueSource(strings = { "My Orders!", "commandes-été", "a/b", "!" })
	void nameWithUnsupportedCharactersIsRejected(String name) {
		StandardEnvironment environment = environment(Map.of("ids.generators." + name + ".strategy", "gapless"),
				Map.of());
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> new GeneratorPropertiesBinder(environment).names())
			.withMessageContaining("'" + name + "' cannot be the name of an id generator");
	}

	@Test
	void scalarInPlaceOfSettingsIsRejected() {
		StandardEnvironment environment = environment(Map.of(), Map.of("IDS_GENERATORS_ORDERS", "coprime"));
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> new GeneratorPropertiesBinder(environment).names())
			.withMessageContaining("Set ids.generators.orders.strategy to coprime instead");
	}

	@ParameterizedTest
	@CsvSource({ "sequential, sequential.end", "gapless, gapless.end", "recycled, recycled.capacity" })
	void loweredBoundIsLogged(String strategy, String boundProperty, CapturedOutput output) {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues(
				"spring.datasource.url=" + TestDatabase.h2().url(), "ids.recycled.series-size=10",
				"ids.generators.orders.strategy=" + strategy);
		runner.withPropertyValues("ids.generators.orders." + boundProperty + "=5000")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("the store records");
		runner.withPropertyValues("ids.generators.orders." + boundProperty + "=100")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("Id generator 'orders' uses only 100 keys of key space 'orders', as set"
				+ " by ids.generators.orders." + boundProperty + ", but the store records a bound of 5,000 keys");
	}

	@Test
	void loweredEndOfTimeBasedIdsIsLogged(CapturedOutput output) {
		ApplicationContextRunner runner = this.contextRunner
			.withPropertyValues("spring.datasource.url=" + TestDatabase.h2().url(), "ids.strategy=decimal-uid");
		runner.withPropertyValues("ids.decimal-uid.signed=false")
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextLong()).isNotZero());
		assertThat(output).doesNotContain("the store records");
		runner.run((context) -> assertThat(context.getBean(IdGenerator.class).nextLong()).isPositive());
		assertThat(output).containsOnlyOnce("Id generator 'default' uses only 922,337,203,685 milliseconds of key space"
				+ " 'default', as set by ids.decimal-uid.signed, but the store records a bound of 1,844,674,407,370"
				+ " milliseconds. Restore the previous value");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "coprime|coprime.length=4|Raise its bound (ids.coprime.max-length), or prepare",
					"coprime|coprime.preset=park-miller|Prepare", "snowflake|snowflake.tail=random|Prepare",
					"decimal-uid|decimal-uid.signed=true|Raise its bound (ids.decimal-uid.signed=false), or prepare",
					"decimal-uid|decimal-uid.signed=false|Prepare", "composite|composite.prefix-digits=3|Prepare" })
	@FewInvocations(2)
	void lowKeySpaceIsLoggedWithARemedyThatItsStrategyHas(String strategy, String setting, String remedy,
			CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("ids.store=memory", "ids.strategy=" + strategy, "ids." + setting,
					"ids.health.low-remaining=100%")
			.run((context) -> {
				context.getBean(IdGenerator.class).nextLong();
				Awaitility.await().untilAsserted(() -> assertThat(output).contains("is running out of ids"));
			});
		assertThat(output)
			.containsPattern("is running out of ids: .*\\. " + Pattern.quote(remedy + " a new key space in time"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.lease", "ids.generators.orders.lease" })
	void warningAboutAShortLeaseNamesThePropertyThatSetsIt(String property, CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues(
				"spring.datasource.url=" + database.url(), "ids.generators.orders.strategy=snowflake",
				property + "=2s");
		runner.run((context) -> database.execute("insert into ids_slot select 'orders', x, 0, 0, 'other', 'other', 0,"
				+ " 4102444800000 from system_range(100, 199)"));
		runner.run((context) -> Awaitility.await()
			.untilAsserted(() -> assertThat(output)
				.containsPattern("Id generator 'orders' has a short lease .* Set " + property + "=1m or more")));
	}

	private static StandardEnvironment environment(Map<String, Object> settings, Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		environment.getPropertySources().addLast(new MapPropertySource("settings", settings));
		return environment;
	}

	private static GeneratorSnapshot snapshot(AssertableApplicationContext context, String name) {
		IdGenerator generator = context.getBean(IdGenerators.class).get(name);
		return ((ManagedIdGenerator) generator).snapshot();
	}

	private static GeneratorProperties bind(String name, Map<String, Object> settings) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("settings", settings));
		return new GeneratorPropertiesBinder(environment).bind(name);
	}

	static Stream<Property> properties() {
		return properties(GeneratorProperties.class, "").stream();
	}

	private static List<Property> properties(Class<?> type, String prefix) {
		List<Property> properties = new ArrayList<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			if (component.getType().isRecord()) {
				properties.addAll(properties(component.getType(), name + "."));
			}
			else if (component.getType() != List.class) {
				properties.add(Property.of(name, component.getType()));
			}
		}
		return properties;
	}

	private static Map<String, Object> values(Record properties) {
		Map<String, Object> values = new LinkedHashMap<>();
		collect(properties, "", values);
		return values;
	}

	private static void collect(Record from, String prefix, Map<String, Object> values) {
		for (RecordComponent component : from.getClass().getRecordComponents()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			try {
				Object value = component.getAccessor().invoke(from);
				if (value instanceof Record group) {
					collect(group, name + ".", values);
				}
				else {
					values.put(name, value);
				}
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	/**
	 * A property with two values for tests, the first of which differs from the default.
	 */
	record Property(String name, Object value, Object otherValue) {

		static Property of(String name, Class<?> type) {
			if (type.isEnum()) {
				// the last constant comes first, because it is not the default
				Object[] values = type.getEnumConstants();
				return new Property(name, values[values.length - 1], values[Math.max(0, values.length - 2)]);
			}
			if (type == boolean.class || type == Boolean.class) {
				boolean defaultValue = !Set.of("text.check", "scoped").contains(name);
				return new Property(name, !defaultValue, defaultValue);
			}
			if (type == String.class) {
				return new Property(name, "one", "other");
			}
			if (type == Duration.class) {
				return new Property(name, "17s", "18s");
			}
			if (type == Instant.class) {
				return new Property(name, "2017-01-01T00:00:00Z", "2018-01-01T00:00:00Z");
			}
			if (type == ZoneId.class) {
				return new Property(name, "Europe/Berlin", "America/New_York");
			}
			return new Property(name, "17", "18");
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	record CustomizedBuilders(List<Class<?>> builders, List<String> strategies) {

	}

	record RecordingCustomizer(String name,
			List<String> claimed) implements IdGeneratorBuilderCustomizer<TimeIdGenerator.Builder> {

		@Override
		public void customize(TimeIdGenerator.Builder builder) {
			builder.listener(new IdGeneratorListener() {

				@Override
				public void claimed(String generator, long number) {
					RecordingCustomizer.this.claimed.add(RecordingCustomizer.this.name + " " + generator);
				}

			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		CustomizedBuilders customizedBuilders() {
			return new CustomizedBuilders(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
		}

		@Bean
		@Order(2)
		IdGeneratorBuilderCustomizer<IdGeneratorBuilder<?>> second(CustomizedBuilders customized) {
			return (builder) -> {
				customized.strategies().add(builder.strategy());
				if (builder.name().equals("orders")) {
					builder.keySpaceName(builder.keySpaceName() + "-second");
				}
			};
		}

		@Bean
		@Order(1)
		IdGeneratorBuilderCustomizer<IdGeneratorBuilder<?>> first() {
			return (builder) -> {
				if (builder.name().equals("orders")) {
					builder.keySpaceName("first");
				}
			};
		}

		@Bean
		IdGeneratorBuilderCustomizer<BlockIdGenerator.Builder> blocks(CustomizedBuilders customized) {
			return (builder) -> customized.builders().add(builder.getClass());
		}

		@Bean
		IdGeneratorBuilderCustomizer<GaplessIdGenerator.Builder> gapless(CustomizedBuilders customized) {
			return (builder) -> customized.builders().add(builder.waitTimeout(Duration.ofSeconds(7)).getClass());
		}

		@Bean
		IdGeneratorBuilderCustomizer<TimeIdGenerator.Builder> times(CustomizedBuilders customized) {
			return (builder) -> customized.builders().add(builder.getClass());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClashingCustomizer {

		@Bean
		IdGeneratorBuilderCustomizer<IdGeneratorBuilder<?>> clash() {
			return (builder) -> builder.keySpaceName("default");
		}

	}

}
