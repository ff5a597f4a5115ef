package dev.idspring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceMismatchException.Reason;
import dev.idspring.block.BlockSettings;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.text.TextSettings;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SnowflakeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link GeneratorPropertiesBinder}.
 */
class GeneratorPropertiesBinderTests {

	private static final List<String> KNOWN_PROPERTIES = ConfigurationCheck.names(GeneratorProperties.class, "");

	static Stream<Arguments> settings() {
		return Stream.of(arguments(BlockSettings.class, Strategy.COPRIME),
				arguments(SeriesSettings.class, Strategy.RECYCLED), arguments(CoprimeSettings.class, Strategy.COPRIME),
				arguments(SequentialSettings.class, Strategy.SEQUENTIAL),
				arguments(GaplessSettings.class, Strategy.GAPLESS),
				arguments(RecycledSettings.class, Strategy.RECYCLED),
				arguments(SnowflakeSettings.class, Strategy.SNOWFLAKE),
				arguments(DecimalUidSettings.class, Strategy.DECIMAL_UID),
				arguments(CompositeSettings.class, Strategy.COMPOSITE),
				arguments(NodeSettings.class, Strategy.SNOWFLAKE), arguments(ClockSettings.class, Strategy.SNOWFLAKE));
	}

	@ParameterizedTest
	@MethodSource("settings")
	void everyParameterHasAProperty(Class<?> settings, Strategy strategy) {
		assertThat(settings.getRecordComponents()).extracting(RecordComponent::getName)
			.filteredOn((parameter) -> !parameter.equals("prefixGiven"))
			.allSatisfy((parameter) -> assertThat(KNOWN_PROPERTIES)
				.contains(GeneratorPropertiesBinder.propertyOf(settings, parameter, strategy)));
	}

	@Test
	void everyParameterOfTheDatabaseSettingsHasAProperty() {
		List<String> known = ConfigurationCheck.names(IdsJdbcProperties.class, "ids.jdbc.");
		assertThat(Arrays.stream(JdbcSettings.class.getRecordComponents()).map(RecordComponent::getName))
			.filteredOn((parameter) -> !List.of("created", "prepared").contains(parameter))
			.allSatisfy((parameter) -> assertThat(known).contains(GeneratorPropertiesBinder
				.explain(new InvalidSettingException(JdbcSettings.class, parameter, 1, "x"), "ids.jdbc.")
				.getProperties()
				.get(0)));
	}

	@ParameterizedTest
	@MethodSource("constants")
	void constantsEqualTheDefaultsOfTheProperties(Record constant) {
		assertThat(new Binder(List.of()).bindOrCreate("ids", constant.getClass())).isEqualTo(constant);
	}

	static Stream<Record> constants() {
		return Stream.of(GeneratorProperties.Text.DEFAULTS, GeneratorProperties.Uuid.DEFAULTS,
				GeneratorProperties.Coprime.DEFAULTS);
	}

	@ParameterizedTest
	@ValueSource(classes = { IdsProperties.class, IdsJdbcProperties.class, IdsRedisProperties.class })
	void emptyPropertiesOfTheApplicationAreAccepted(Class<?> type) {
		Map<String, String> empty = ConfigurationCheck.names(type, "ids.")
			.stream()
			.collect(Collectors.toMap((name) -> name, (name) -> ""));
		assertThat(new Binder(new MapConfigurationPropertySource(empty)).bindOrCreate("ids", type)).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x" })
	void valueOfThePrefixItselfIsNotAProperty(String value) {
		GeneratorProperties defaults = binder(Map.of()).bind("default");
		GeneratorPropertiesBinder binder = binder(Map.of("ids", value));
		assertThat(binder.bind("default")).isEqualTo(defaults);
		assertThat(binder.bind("orders")).isEqualTo(defaults);
	}

	@Test
	void reportsAnInheritedPropertyUnderTheNameThatWasSet() {
		IdSetupException failure = binder(Map.of("ids.block.size", "9", "ids.generators.orders.block.max-size", "5"))
			.explain("orders", Strategy.COPRIME, new InvalidSettingException(BlockSettings.class, "maxSize", 5L,
					"must be at least %s, which is 9", "size"));
		assertThat(failure.getProblem()).isEqualTo("The settings of id generator 'orders' are invalid:"
				+ " ids.generators.orders.block.max-size is 5 but must be at least ids.block.size, which is 9.");
		assertThat(failure.getProperties()).containsExactly("ids.generators.orders.block.max-size", "ids.block.size");
	}

	@Test
	void reportsTheSettingThatDiffersFromTheStoredDefinition() {
		IdSetupException failure = binder(Map.of()).explain("orders", Strategy.COPRIME,
				new KeySpaceMismatchException(Reason.DEFINITION, "Changed.", "coprime length=6", "coprime length=7"));
		assertThat(failure.getProblem()).endsWith("Changed. Check ids.generators.orders.coprime.length.");
		assertThat(failure.getProperties()).containsExactly("ids.generators.orders.coprime.length");
		assertThat(failure.getRemedy()).contains("ids.generators.orders.key-space");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = {
			"composite; ; node-digits=3 time sequence-digits=3; node-digits=4 time sequence-digits=3; composite.prefix-digits",
			"composite; ids.composite.prefix=7; epoch=x node-digits=3 time sequence-digits=3; epoch=y prefix-digits=3 time node-digits=2 sequence-digits=1; composite.epoch, ids.composite.prefix",
			"composite; ; prefix-digits=3 time node-digits=2 sequence-digits=1; node-digits=3 time sequence-digits=3; composite.prefix",
			"decimal-uid; ; node-digits=1; node-digits=2; decimal-uid.node-digits",
			"snowflake; ids.snowflake.format=base32; text alphabet=01 length=11; text alphabet=02 length=13; snowflake.format",
			"snowflake; ids.coprime.alphabet=base58; text alphabet=01 length=11; ; text.alphabet",
			"sequential; ids.text.length=7; text alphabet=01 length=6; text alphabet=02 length=7; text.alphabet, ids.text.length",
			"coprime; ids.text.alphabet=base58; length=6 alphabet=01; length=6 alphabet=02; text.alphabet" })
	void reportsThePropertyOfADifferentSettingThatTheStrategyUses(String strategy, String property, String stored,
			String configured, String reported) {
		Map<String, Object> settings = new HashMap<>(Map.of("ids.strategy", strategy));
		if (property != null) {
			settings.put(property.split("=")[0], property.split("=")[1]);
		}
		IdSetupException failure = binder(settings).explain("default", Strategy.ofId(strategy).orElseThrow(),
				new KeySpaceMismatchException(Reason.DEFINITION, "Changed.", strategy + " " + stored,
						(strategy + " " + Objects.requireNonNullElse(configured, "")).strip()));
		assertThat(failure.getProblem()).endsWith("Check ids." + reported + ".");
	}

	@ParameterizedTest
	@CsvSource({ "sequential, ids.coprime.length, ids.text.length", "coprime, ids.coprime.length, ids.coprime.length",
			"snowflake, ids.snowflake.format, ids.text.length" })
	void reportsAnInvalidTextLengthUnderThePropertyThatTheStrategyUses(String strategy, String set, String reported) {
		IdSetupException failure = binder(Map.of("ids.strategy", strategy, set, set.endsWith("length") ? "8" : "hex"))
			.explain("default", Strategy.ofId(strategy).orElseThrow(),
					new InvalidSettingException(TextSettings.class, "length", 6, "is too short"));
		assertThat(failure.getProperties()).containsExactly(reported);
	}

	@ParameterizedTest
	@CsvSource({ "FEWER_SECRETS, Configure all secrets of the key space in ids.text.secrets",
			"SECRET_FROM, Correct the 'from' of the added secret in ids.text.secrets",
			"CLOSED, Remove the configuration and every use of id generator 'orders'" })
	void newKeySpaceIsNotSuggestedForWrongSecretsOrAClosedKeySpace(Reason reason, String remedy) {
		IdSetupException failure = binder(Map.of("ids.text.secrets[0].key", "x")).explain("orders", Strategy.SEQUENTIAL,
				new KeySpaceMismatchException(reason, "Unusable.", "closed: sequential", "sequential"));
		assertThat(failure.getProblem()).endsWith("Unusable.");
		assertThat(failure.getRemedy()).startsWith(remedy).doesNotContain("key-space");
	}

	private static GeneratorPropertiesBinder binder(Map<String, Object> settings) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("settings", settings));
		return new GeneratorPropertiesBinder(environment);
	}

}
