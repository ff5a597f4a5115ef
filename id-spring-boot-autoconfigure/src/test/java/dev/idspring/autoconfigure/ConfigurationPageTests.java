package dev.idspring.autoconfigure;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import dev.idspring.testsupport.Documentation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tables of {@code docs/configuration.md} match the configuration
 * metadata, and that examples set only properties that exist and have an effect.
 *
 * <p>
 * With {@code -Dtest.ids.write-docs=true}, the tables are updated instead of compared.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationPageTests {

	private static final Path PAGE = Documentation.file("configuration");

	private static final String SYSTEM_ENVIRONMENT = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;

	/** A row with a property and one or two environment variables that set it. */
	private static final Pattern VARIABLES = Pattern.compile("\\| `(ids[^`]+)` \\| `(IDS_.+)` \\|");

	private static final String COMMAND = "mvn test -pl id-spring-boot-autoconfigure -Dtest=ConfigurationPageTests"
			+ " -Dtest.ids.write-docs=true";

	@Test
	void tablesMatchTheMetadata() throws Exception {
		String page = Documentation.read(PAGE);
		String updated = tables(IdsMetadataTests.metadata()).update(page);
		if (Boolean.getBoolean("test.ids.write-docs")) {
			Files.writeString(PAGE, updated);
			return;
		}
		assertThat(page)
			.as("The property tables of the page do not match the metadata. Update them with%n  %s", COMMAND)
			.isEqualTo(updated);
	}

	@Test
	void everyPropertyIsInATable() throws Exception {
		assertThat(tables(IdsMetadataTests.metadata()).missing(Documentation.read(PAGE))).isEmpty();
	}

	@Test
	void environmentVariablesBindToTheDocumentedProperties() {
		List<MatchResult> rows = VARIABLES.matcher(Documentation.read(PAGE)).results().toList();
		assertThat(rows).hasSize(4);
		for (MatchResult row : rows) {
			for (String variable : row.group(2).split("` or `")) {
				StandardEnvironment environment = new StandardEnvironment();
				environment.getPropertySources()
					.replace(SYSTEM_ENVIRONMENT,
							new SystemEnvironmentPropertySource(SYSTEM_ENVIRONMENT, Map.of(variable, "7")));
				assertThat(Binder.get(environment).bind(row.group(1), Long.class).orElse(null)).as(variable)
					.isEqualTo(7);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("dev.idspring.testsupport.Documentation#files")
	void examplesSetPropertiesThatHaveAnEffect(Path page, CapturedOutput output) throws Exception {
		for (PropertySourceLoader loader : List.of(new YamlPropertySourceLoader(),
				new PropertiesPropertySourceLoader())) {
			String language = (loader instanceof YamlPropertySourceLoader) ? "yaml" : "properties";
			for (String example : Documentation.examples(Documentation.read(page), language)) {
				StandardEnvironment environment = new StandardEnvironment();
				loader.load(language, new ByteArrayResource(example.getBytes(StandardCharsets.UTF_8)))
					.forEach(environment.getPropertySources()::addLast);
				new ConfigurationCheck(new GeneratorPropertiesBinder(environment)).run();
			}
		}
		assertThat(output).doesNotContain("has no effect");
	}

	@Test
	void tableShowsDefaultDescriptionAndValues() throws Exception {
		PropertyTables tables = tables(
				"""
						{
						  "properties": [
						    { "name": "a.size", "type": "java.lang.Long", "description": "How many.", "defaultValue": 1000 },
						    { "name": "a.store", "type": "dev.idspring.autoconfigure.StoreType", "description": "Where." },
						    { "name": "a.word", "type": "java.lang.String", "description": "What." },
						    { "name": "a.way", "type": "java.lang.String", "description": "How." },
						    { "name": "a.b.c", "type": "java.util.Map<java.lang.String,java.lang.Long>", "description": "More." }
						  ],
						  "hints": [
						    { "name": "a.word", "values": [ { "value": "x" }, { "value": "y" } ] },
						    { "name": "a.way", "values": [ { "value": "up" } ], "providers": [ { "name": "any" } ] }
						  ]
						}""");
		assertThat(tables.update("""
				before
				<!-- begin properties a a.b -->
				old
				<!-- end properties -->
				after
				""")).isEqualTo("""
				before
				<!-- begin properties a a.b -->
				| property | default | meaning |
				|---|---|---|
				| `a.size` | `1000` | How many. |
				| `a.store` |  | Where. One of `jdbc`, `redis`, `memory`, `none`. |
				| `a.way` |  | How. For example `up`. |
				| `a.word` |  | What. One of `x`, `y`. |
				| `a.b.c` |  | More. |
				<!-- end properties -->
				after
				""");
		assertThat(tables.missing("<!-- begin properties a -->\n<!-- end properties -->")).containsExactly("a.b.c");
	}

	private static PropertyTables tables(String metadata) throws Exception {
		return new PropertyTables(new ByteArrayInputStream(metadata.getBytes(StandardCharsets.UTF_8)));
	}

}
