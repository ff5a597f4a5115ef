package dev.idspring.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.Set;

import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.RequiresSpringBoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for names and values that Spring Boot's YAML loader reads as something other than
 * what was written.
 */
class YamlConfigurationTests {

	@RequiresSpringBoot(version = "4.1", because = "an empty map in YAML does not count as a property before 4.1")
	@ParameterizedTest
	@ValueSource(
			strings = { "no", "No", "NO", "yes", "on", "off", "Off", "true", "TRUE", "false", "null", "Null", "~" })
	void nameThatYamlReadsAsAnotherValueIsRejected(String name) throws Exception {
		for (String settings : new String[] { "{strategy: gapless}", "sequential", "{}", "" }) {
			FailureAnalysis analysis = analyze("generators:\n    " + name + ": " + settings);
			boolean hasSettings = !Set.of("{}", "").contains(settings);
			assertThat(analysis.getDescription())
				.containsPattern(
						"^'(true|false|null)' cannot be the name of an id generator: without quotes, YAML reads ")
				.containsPattern("Property: ids\\.generators\\[(true|false|null)]")
				.contains(hasSettings ? "Origin: Byte array resource [ids.yml] - 3:" : "Origin: ");
			assertThat(analysis.getAction()).contains("In YAML, quote the name if it is yes, no, on or off.");
		}
	}

	@Test
	void acceptsAQuotedName() throws Exception {
		for (String name : Set.of("no", "yes", "on", "off", "y", "n")) {
			assertThat(new GeneratorPropertiesBinder(load("generators:\n    \"" + name + "\": {strategy: gapless}"))
				.names()).containsExactly(name);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "False", "null" })
	void ambiguousNameIsRejectedInAnySource(String name) throws Exception {
		assertThat(analyze("generators:\n    \"" + name + "\": {strategy: gapless}").getDescription())
			.contains("'" + name + "' cannot be the name of an id generator");
		assertThat(analyze(new MockEnvironment().withProperty("ids.generators." + name + ".strategy", "gapless"))
			.getAction()).contains("quote the name");
	}

	@ParameterizedTest
	@ValueSource(strings = { "042", "42", "0x1f", "1e3", "1.5", ".5" })
	void nameThatIsANumberIsRejected(String name) throws Exception {
		assertThat(analyze("generators:\n    " + name + ": {strategy: gapless}").getAction())
			.containsPattern("beginning with a letter|A name begins with a letter");
	}

	@ParameterizedTest
	@CsvSource({ "zone: +10:00, ids.zone is '600', +10:00 is 600", "zone: -11:00, ids.zone is '-660', +10:00 is 600",
			"zone: +01, ids.zone is '1', 012 is 10", "zone: no, ids.zone is 'false', no",
			"period: off, ids.period is 'false', off", "period: no, 'Use one of none, year, month, day.', no",
			"strategy: on, ids.strategy is 'true', on", "snowflake: {tail: no}, ids.snowflake.tail is 'false', no" })
	void messageAboutAReinterpretedYamlValueSuggestsQuotes(String written, String expected, String reason)
			throws Exception {
		FailureAnalysis analysis = analyze(written);
		assertThat(analysis.getDescription() + analysis.getAction()).contains(expected);
		assertThat(analysis.getAction()).contains("In YAML, quote the value: without quotes, ").contains(reason);
	}

	@ParameterizedTest
	@ValueSource(strings = { "coprime: {alphabet: 012}", "coprime: {alphabet: 01234567}", "coprime: {alphabet: 98}",
			"coprime: {alphabet: 0xABCDEF}", "text: {alphabet: 1e2}", "text: {alphabet: no}", "text: {prefix: 10_}",
			"key-space: 0100", "key-space: on", "uuid: {identity: 042}", "verify-column: no", "text: {pattern: 0}",
			"generators: {orders: {key-space: 007}}", "redis: {key-prefix: 042}" })
	void stringThatYamlReadsAsAnotherValueIsRejected(String written) throws Exception {
		FailureAnalysis analysis = analyze(written);
		assertThat(analysis.getDescription())
			.containsPattern(
					"^ids\\.\\S+ must be a string, but its value is a (number|boolean), which YAML may have converted"
							+ " from different text\\.")
			.contains("Origin: Byte array resource [ids.yml] - 2:");
		assertThat(analysis.getAction()).contains("In YAML, quote the value");
	}

	@Test
	void secretThatYamlReadsAsANumberIsRejectedAndNotDisclosed() throws Exception {
		FailureAnalysis analysis = analyze("text: {secret: 0x1234567890123456789012345678901234567890}");
		assertThat(analysis.getDescription()).contains("ids.text.secret must be a string, but its value is a number")
			.contains("Value: \"******\"")
			.doesNotContain("1039290053");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{n:5}", "{n}", "{n: 5}" })
	void patternThatYamlReadsAsAMapIsRejected(String pattern) throws Exception {
		assertThat(analyze("text: {pattern: " + pattern + "}").getDescription())
			.contains("ids.text.pattern is a map, not a string");
		FailureAnalysis analysis = analyze(
				"generators: {bills: {strategy: gapless, scoped: true, text: {pattern: " + pattern + "}}}");
		assertThat(analysis.getDescription()).contains("ids.generators.bills.text.pattern is a map, not a string");
		assertThat(analysis.getAction()).contains("In YAML, quote the value");
	}

	@ParameterizedTest
	@ValueSource(strings = { "coprime: {alphabet: '012'}", "coprime: {alphabet: 0123456789}", "key-space: '0100'",
			"key-space: a1", "zone: '+10:00'", "zone: +05:30", "period: none", "health: {low-remaining: 5%}",
			"{strategy: sequential, text: {secrets: [{key: AAAAAAAAAAAAAAAAAAAAAA==},"
					+ " {key: AQAAAAAAAAAAAAAAAAAAAA==, from: 1000000}]}}",
			"generators: {bills: {strategy: gapless, scoped: true, text: {pattern: 'X{n:5}'}}}",
			"{strategy: composite, composite: {prefix: 7}, node: {source: fixed, id: 1}}" })
	void acceptsAValueThatYamlReadsAsWritten(String written) throws Exception {
		ConfigurableEnvironment environment = load(written);
		assertThat(catchThrowable(() -> new ConfigurationCheck(new GeneratorPropertiesBinder(environment)).run()))
			.isNull();
	}

	/**
	 * The starter cannot detect a number that was written with leading zeros, so the
	 * documentation must warn about them.
	 */
	@ParameterizedTest
	@CsvSource({ "composite.prefix, 042", "node.id, 010", "sequential.start, 0100", "gapless.start, 0100",
			"sequential.end, 07777", "gapless.end, 07777", "coprime.offset, 0100" })
	void documentationExplainsHowYamlReadsNumbersWithLeadingZeros(String property, String number) throws Exception {
		String read = load(property.replace(".", ": {") + ": " + number + "}").getProperty("ids." + property);
		assertThat(read).isEqualTo(String.valueOf(Integer.parseInt(number, 8)));
		assertThat(Documentation.read(Documentation.file("configuration"))).containsPattern("\\| `ids." + property
				+ "` \\|.*No leading zeros, because YAML reads " + number + " as " + read + "\\. \\|");
	}

	private static FailureAnalysis analyze(String belowIds) throws Exception {
		return analyze(load(belowIds));
	}

	private static FailureAnalysis analyze(ConfigurableEnvironment environment) {
		Throwable failure = catchThrowable(() -> {
			GeneratorNames.of(environment).forEach(GeneratorNames::verify);
			new ConfigurationCheck(new GeneratorPropertiesBinder(environment)).run();
		});
		assertThat(failure).isNotNull();
		FailureAnalysis analysis = new IdSetupFailureAnalyzer(environment).analyze(failure);
		assertThat(analysis).as(failure.toString()).isNotNull();
		return analysis;
	}

	private static ConfigurableEnvironment load(String belowIds) throws Exception {
		String yaml = belowIds.startsWith("{") ? "ids: " + belowIds : "ids:\n  " + belowIds;
		StandardEnvironment environment = new StandardEnvironment();
		new YamlPropertySourceLoader()
			.load("ids.yml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "ids.yml"))
			.forEach(environment.getPropertySources()::addLast);
		return environment;
	}

}
