package dev.idspring.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import dev.idspring.IdSetupException;
import dev.idspring.testsupport.RequiresSpringBoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link ConfigurationCheck}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationCheckTests {

	private static final Set<String> GROUPS = Set.of("ids", "ids.block", "ids.skip-ahead", "ids.generators.empty",
			"ids.generators.orders.block");

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"ids.cooprime.length | ids.cooprime.length ('ids.cooprime.length' from property source 'settings') is not known and has no effect; did you mean ids.coprime.length?",
			"ids.coprime.lenght | did you mean ids.coprime.length?",
			"ids.block.maximum-size | did you mean ids.block.max-size?",
			"ids.jdbc.table-prefx | did you mean ids.jdbc.table-prefix?",
			"ids.generators.orders.cooprime.length | did you mean ids.generators.orders.coprime.length?",
			"ids.generators.line-items.block.sise | did you mean ids.generators.line-items.block.size?",
			"ids.block-size | did you mean ids.block.size?", "ids.coprime-length | did you mean ids.coprime.length?",
			"ids.generators.orders.block-size | did you mean ids.generators.orders.block.size?",
			"ids.generators.orders.length | did you mean ids.generators.orders.coprime.length?",
			"ids.table-prefix | did you mean ids.jdbc.table-prefix?",
			"ids.start | did you mean ids.sequential.start or ids.gapless.start?",
			"ids.generator.orders.coprime.length | did you mean ids.generators.orders.coprime.length?",
			"ids.orders.strategy | did you mean ids.generators.orders.strategy?",
			"ids[0].strategy | did you mean ids.strategy?",
			"spring.ids.coprime.length | has no effect; did you mean ids.coprime.length?",
			"spring.ids.strategy | has no effect; did you mean ids.strategy?",
			"id.generators.orders.block.size | has no effect; did you mean ids.generators.orders.block.size?",
			"ids.jdbc.url | a DataSource bean with @IdsDataSource",
			"ids.printer.port | has no effect: correct its name, or remove it" })
	void unknownPropertyIsReportedWithARemedy(String property, String message, CapturedOutput output) {
		check(Map.of(property, "7"));
		assertThat(output).containsOnlyOnce(message.replace('\'', '"')).contains(property);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "ids.text.secret.key", "ids.text.secret[0]", "ids.text.secret[0].key", "ids.text.secrets.key",
					"ids.generators.orders.text.secrets.key", "ids.generators.orders.text.secrets.from" })
	void secretWithoutEffectIsRejectedUnlessInAnEnvironmentVariable(String property) {
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> check(Map.of(property, "7")))
			.withMessageContainingAll(property + " has no effect", "ids.text.secrets[1].from");
		check(Map.of(), Map.of(property.replaceAll("\\W", "_").toUpperCase(Locale.ROOT), "7"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.text.secret", "ids.text.secrets[0].key" })
	void generatorsThatDoNotInheritASecretAreReported(String property, CapturedOutput output) {
		Map<String, Object> settings = new HashMap<>(
				Map.of("ids.strategy", "sequential", property, "7", "ids.generators.bills.block.size", "7"));
		check(settings);
		assertThat(output).doesNotContain("effect");
		settings.put("ids.generators.orders.strategy", "coprime");
		settings.put("ids.generators.invoices.strategy", "gapless");
		settings.put("ids.generators.invoices.scoped", "true");
		check(settings);
		assertThat(output).contains(property)
			.containsOnlyOnce("has no effect on these id generators, whose ids anyone"
					+ " could guess, because coprime and scoped generators do not inherit secrets: invoices, orders");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.text.secrets", "ids.generators.orders.text.secrets" })
	void emptyListOfSecretsIsRejected(String listProperty) {
		for (String empty : List.of("", "${unset:}")) {
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> check(Map.of(listProperty, empty)))
				.withMessageContaining(listProperty + " is empty");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.text.secrets", "ids.generators.orders.text.secrets" })
	void secretsListMustBeInOnePropertySource(String listProperty) {
		Map<String, Object> first = Map.of(listProperty + "[0].key", "7");
		String variable = listProperty.replace('.', '_').toUpperCase(Locale.ROOT) + "_1_KEY";
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> check(first, Map.of(variable, "8")))
			.withMessageContaining(
					"has no effect: there is no " + listProperty + "[0].key in the same property source");
		assertThatException()
			.isThrownBy(() -> check(Map.of(listProperty + "[0].from", "", listProperty + "[1].key", "8")));
		check(first, Map.of(variable, "8", variable.replace('1', '0'), "7"));
		check(Map.of(listProperty + "[0].key", "7", listProperty + "[1].from", "8"), Map.of());
	}

	@ParameterizedTest
	@CsvSource({ "ids.uuid, x, ids.uuid.identity", "ids.generators.orders.uuid, x, ids.generators.orders.uuid.identity",
			"ids.columns, true, ids.columns.watch", "ids.schema, true, ids.schema.confirm" })
	void valueOfAGroupIsRejected(String group, String value, String member) {
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> check(Map.of(group, value.equals("true") ? (Object) true : value)))
			.satisfies((ex) -> assertThat(ex.getProblem())
				.isEqualTo(group + " has a value, but is a group of properties."))
			.satisfies((ex) -> assertThat(ex.getRemedy()).endsWith(" such as " + member + "."));
		check(Map.of(group, ""));
		check(Map.of(group, "${unset:}"));
	}

	@Test
	void environmentVariableOfAGroupIsRejectedOnlyIfItHasAnEffect() {
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> check(Map.of(), Map.of("IDS_UUID", "x")))
			.withMessageContaining("ids.uuid has a value");
		check(Map.of(), Map.of("IDS_SCHEMA", "public", "IDS_COLUMNS", "7"));
	}

	@Test
	void unknownPropertyWithoutASimilarNameIsReported(CapturedOutput output) {
		check(Map.of("ids.printer.port", "7"));
		assertThat(output).contains(" is not known and has no effect").doesNotContain("did you mean");
	}

	@RequiresSpringBoot(version = "4.0", because = "before 4.0, an empty value does not bind to a record")
	@ParameterizedTest
	@ValueSource(strings = { "ids.coprime.max-length", "ids.coprime.maxLength", "ids.coprime.max_length",
			"IDS.COPRIME.MAX-LENGTH", "ids.skip-ahead.key-space", "ids.jdbc.table-prefix", "ids.store",
			"ids.generators.orders.key-space", "ids.generators.lineItems.block.maxSize", "ids.block",
			"ids.generators.empty", "ids.generators.orders.block", "ids.skip-ahead", "ids", "ids.adopt.table",
			"ids.adopt.table[0]" })
	void knownPropertyIsNotReported(String property, CapturedOutput output) {
		check(Map.of(property, validValue(property)));
		assertThat(output).doesNotContain("effect");
	}

	@ParameterizedTest
	@ValueSource(strings = { "IDS_COPRIME_MAX_LENGTH", "IDS_COPRIME_MAXLENGTH", "IDS_SKIPAHEAD_BY", "IDS_PORT",
			"IDS_COOPRIME_MAX_LENGTH", "IDS_SERVICE_HOST", "IDS_PORT_8080_TCP_ADDR", "IDS_FOO",
			"IDS_GENERATORS_ORDERS_KEYSPACE", "IDS_GENERATORS_ORDERS_ARCHIVE_KEYSPACE", "IDS_JDBC_TABLE_PREFIX" })
	void knownUnrelatedAndMisspelledEnvironmentVariablesAreNotReported(String variable, CapturedOutput output) {
		check(Map.of("ids.generators.orders-archive.block.size", "7"), Map.of(variable, "7"));
		assertThat(output).doesNotContain("effect");
	}

	@ParameterizedTest
	@CsvSource({ "IDS_BLOCKSIZE, ids.block.size", "IDS_TABLE_PREFIX, ids.jdbc.table-prefix",
			"IDS_GENERATOR_ORDERS_STRATEGY, ids.generators.orders.strategy" })
	void environmentVariableWithAWrongGroupIsReported(String variable, String suggestion, CapturedOutput output) {
		check(Map.of(), Map.of(variable, "7"));
		assertThat(output).contains("\"" + variable + "\"")
			.contains("is not known and has no effect; did you mean " + suggestion + "?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "id.strategy", "id.orders.size", "spring.idsx.strategy", "spring.ids.printer",
			"idsx.coprime.lenght" })
	void unrelatedPropertiesAreNotReported(String property, CapturedOutput output) {
		check(Map.of(property, "7"));
		assertThat(output).doesNotContain("effect");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.block.outage-reserve", "ids.generators.orders.health.low-horizon" })
	void durationWithoutAUnitIsReported(String property, CapturedOutput output) {
		check(Map.of(property, 60));
		assertThat(output).contains(" - " + property)
			.containsOnlyOnce("is 60 without a unit, which means 60ms: write 60s if you mean seconds");
	}

	@ParameterizedTest
	@ValueSource(strings = { "60s", "0", "PT1M" })
	void zeroOrADurationWithAUnitIsNotReported(String duration, CapturedOutput output) {
		check(Map.of("ids.block.outage-reserve", duration));
		assertThat(output).doesNotContain("unit");
	}

	@Test
	void groupOfPropertiesThatNoGeneratorUsesIsReported(CapturedOutput output) {
		check(Map.of("ids.snowflake.node-bits", "7", "ids.sequential.start", "7", "ids.generators.a.strategy",
				"sequential"));
		assertThat(output)
			.contains("has no effect: no id generator uses ids.snowflake. Strategies that use it: snowflake")
			.doesNotContain("ids.sequential.start");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"ids.generators.orders.snowflake.epoch | has no effect: the strategy of id generator 'orders' is coprime | set ids.generators.orders.strategy to snowflake.",
			"ids.generators.orders.node.id | has no effect: the strategy of id generator 'orders' is coprime | set ids.generators.orders.strategy to one of snowflake, decimal-uid, composite.",
			"ids.generators.orders.clock.max-skew | has no effect | ids.clock.max-skew",
			"ids.generators.orders.lease | has no effect | recycled, snowflake",
			"ids.generators.orders.decimal-uid.signed | has no effect | ids.decimal-uid.signed",
			"ids.generators.orders.store | applies to the whole application | Set ids.store instead",
			"ids.generators.orders.enabled | applies to the whole application | Set ids.enabled instead",
			"ids.generators.orders.jdbc.table-prefix | applies to the whole application | Set ids.jdbc.table-prefix instead",
			"ids.generators.orders.jdbc.schemas | applies to the whole application | Set ids.jdbc instead",
			"ids.generators.orders.skip-ahead.by | applies to the whole application | Set ids.skip-ahead.by instead",
			"ids.generators.orders.skipAhead.by | applies to the whole application | Set ids.skip-ahead.by instead" })
	void propertyWithoutEffectForANamedGeneratorIsRejected(String property, String problem, String remedy) {
		Map<String, Object> settings = Map.of(property, validValue(property));
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> check(settings))
			.satisfies(
					(ex) -> assertThat(ex.getProblem()).contains(property.replace("skipA", "skipa")).contains(problem))
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains(remedy));
	}

	@Test
	void environmentVariableWithoutEffectForANamedGeneratorIsRejected() {
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> check(Map.of("ids.generators.orders.block.size", "7"),
					Map.of("IDS_GENERATORS_ORDERS_NODE_ID", "7")))
			.withMessageContaining("ids.generators.orders.node.id has no effect");
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> check(Map.of("ids.generators.orders.block.size", "7"),
					Map.of("IDS_GENERATORS_ORDERS_STORE", "none")))
			.withMessageContaining("Set ids.store instead");
	}

	@Test
	void inheritedStrategyDeterminesTheAcceptedProperties(CapturedOutput output) {
		check(Map.of("ids.strategy", "snowflake", "ids.generators.orders.snowflake.node-bits", "7",
				"ids.generators.orders.node.id", "7", "ids.generators.orders.lease", "7s"));
		assertThat(output).doesNotContain("effect");
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> check(Map.of("ids.strategy", "snowflake", "ids.generators.orders.coprime.length", "7")))
			.withMessageContaining("is snowflake");
	}

	/**
	 * The rows list, for each property, the strategies whose generators receive the
	 * property from {@link IdGeneratorFactory}.
	 */
	@ParameterizedTest
	@CsvSource({ "block.size, coprime sequential recycled", "block.max-size, coprime sequential",
			"block.outage-reserve, coprime sequential recycled",
			"block.wait-timeout, coprime sequential recycled gapless snowflake decimal-uid composite",
			"lease, recycled snowflake decimal-uid composite", "clock.max-ahead, snowflake decimal-uid composite",
			"node.source, snowflake decimal-uid composite", "gapless.start, gapless",
			"health.low-remaining, coprime sequential recycled gapless snowflake decimal-uid composite" })
	void propertyIsAcceptedOnlyByStrategiesThatUseIt(String property, String usingStrategies) {
		for (Strategy strategy : Strategy.values()) {
			Map<String, Object> settings = Map.of("ids.generators.orders.strategy", strategy.id(),
					"ids.generators.orders." + property, "node.source".equals(property) ? "lease" : "7");
			if (List.of(usingStrategies.split(" ")).contains(strategy.id())) {
				assertThatNoException().isThrownBy(() -> check(settings));
			}
			else {
				assertThatExceptionOfType(IdSetupException.class).as(strategy.id())
					.isThrownBy(() -> check(settings))
					.withMessageContaining("ids.generators.orders." + property + " has no effect");
			}
		}
	}

	@Test
	void textSettingThatNoGeneratorUsesIsReported(CapturedOutput output) {
		check(Map.of("ids.strategy", "sequential", "ids.text.check", "true", "ids.text.pattern", "{n}"));
		assertThat(output).contains("no id generator uses ids.text.pattern.").doesNotContain("ids.text.check");
	}

	@Test
	void blockSettingThatNoGeneratorUsesIsReported(CapturedOutput output) {
		check(Map.of("ids.strategy", "gapless", "ids.block.size", "7", "ids.block.wait-timeout", "7s"));
		assertThat(output).contains("no id generator uses ids.block.size. Strategies that use it: coprime,")
			.doesNotContain("ids.block.wait-timeout");
	}

	/**
	 * A profile can change the strategy, but cannot remove properties that another source
	 * sets. Such properties are therefore only reported: startup does not fail.
	 */
	@ParameterizedTest
	@CsvSource({ "recycled.series-size, sequential", "block.size, gapless", "block.max-size, recycled",
			"lease, coprime" })
	void propertyWithoutEffectIsReportedWhenAProfileChangesTheStrategy(String property, String strategy,
			CapturedOutput output) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("application", Map.of("ids.generators.orders." + property, "7")));
		environment.getPropertySources()
			.addFirst(new MapPropertySource("profile", Map.of("ids.generators.orders.strategy", strategy)));
		new ConfigurationCheck(new GeneratorPropertiesBinder(environment)).run();
		assertThat(output).containsOnlyOnce("ids.generators.orders." + property + " (\"ids.generators.orders."
				+ property + "\" from property source \"application\") has no effect: a"
				+ " source of higher precedence has set the strategy of id generator 'orders' to " + strategy);
	}

	@Test
	void propertyWithoutEffectIsReportedWhenAProfileChangesTheInheritedStrategy(CapturedOutput output) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("application", Map.of("ids.generators.orders.block.size", "7")));
		environment.getPropertySources().addFirst(new MapPropertySource("profile", Map.of("ids.strategy", "gapless")));
		new ConfigurationCheck(new GeneratorPropertiesBinder(environment)).run();
		assertThat(output).contains("has no effect: a source of higher precedence has set the strategy of id generator"
				+ " 'orders' to gapless");
		environment.getPropertySources()
			.addLast(new MapPropertySource("own strategy", Map.of("ids.generators.orders.strategy", "gapless")));
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> new ConfigurationCheck(new GeneratorPropertiesBinder(environment)).run())
			.withMessageContaining("ids.generators.orders.block.size has no effect");
	}

	@Test
	void remedyDoesNotSuggestAPropertyThatIsNotInherited() {
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> check(
					Map.of("ids.generators.orders.scoped", "true", "ids.generators.orders.strategy", "sequential")))
			.satisfies((ex) -> assertThat(ex.getRemedy())
				.isEqualTo("Remove it, or set ids.generators.orders.strategy to gapless."));
	}

	private static String validValue(String property) {
		if (GROUPS.contains(property)) {
			return "";
		}
		return property.endsWith("epoch") ? "2024-01-01T00:00:00Z"
				: property.endsWith("signed") ? "true" : property.endsWith("store") ? "none" : "7";
	}

	private static void check(Map<String, Object> settings) {
		check(settings, Map.of());
	}

	private static void check(Map<String, Object> settings, Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new HashMap<>(variables)));
		environment.getPropertySources().addFirst(new MapPropertySource("settings", settings));
		new ConfigurationCheck(new GeneratorPropertiesBinder(environment)).run();
	}

}
