package dev.idspring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the configuration metadata and the {@link IdsRuntimeHints}.
 */
class IdsMetadataTests {

	@Test
	void everyPropertyIsDescribedInASentence() throws Exception {
		List<Map<String, Object>> properties = JsonPath.read(metadata(), "$.properties");
		assertThat(properties).extracting((property) -> property.get("name"))
			.contains("ids.enabled", "ids.strategy", "ids.key-space", "ids.coprime.alphabet", "ids.coprime.length",
					"ids.coprime.max-length", "ids.coprime.multiplier", "ids.coprime.offset", "ids.coprime.preset",
					"ids.sequential.start", "ids.sequential.end", "ids.recycled.series-size",
					"ids.recycled.series-per-instance", "ids.recycled.capacity", "ids.gapless.start", "ids.gapless.end",
					"ids.lease", "ids.block.size", "ids.block.max-size", "ids.block.wait-timeout",
					"ids.block.outage-reserve", "ids.store", "ids.jdbc.initialize-schema", "ids.jdbc.schema",
					"ids.jdbc.platform", "ids.jdbc.table-prefix", "ids.jdbc.connection", "ids.health.low-remaining",
					"ids.health.low-horizon", "ids.generators", "ids.skip-ahead.key-space", "ids.skip-ahead.by",
					"ids.skip-ahead.series", "ids.skip-ahead.confirm");
		assertThat(properties).filteredOn((property) -> property.get("name").toString().startsWith("ids."))
			.allSatisfy((property) -> assertThat(property.get("description")).asString().matches("[A-Z].*\\."));
	}

	@Test
	void defaultsAreTheContracts() throws Exception {
		assertThat(defaultOf("ids.block.size")).isEqualTo(1000);
		assertThat(defaultOf("ids.block.max-size")).isEqualTo(100000);
		assertThat(defaultOf("ids.block.wait-timeout")).isEqualTo("5s");
		assertThat(defaultOf("ids.sequential.start")).isEqualTo(1);
		assertThat(defaultOf("ids.sequential.end")).isEqualTo(9223372036854775806L);
		assertThat(defaultOf("ids.gapless.end")).isEqualTo(9223372036854775806L);
		assertThat(defaultOf("ids.recycled.series-size")).isEqualTo(1000000);
		assertThat(defaultOf("ids.recycled.series-per-instance")).isEqualTo(1);
		assertThat(defaultOf("ids.recycled.capacity")).isEqualTo(9223372036854000000L);
		assertThat(defaultOf("ids.lease")).isEqualTo("30s");
		assertThat(defaultOf("ids.coprime.alphabet")).isEqualTo("base62");
		assertThat(defaultOf("ids.coprime.length")).isEqualTo(6);
		assertThat(defaultOf("ids.jdbc.table-prefix")).isEqualTo("ids_");
		assertThat(defaultOf("ids.strategy")).isEqualTo("coprime");
		assertThat(defaultOf("ids.store")).isEqualTo("jdbc");
	}

	@Test
	void scriptsAndPropertiesAreKeptInNativeImages() {
		RuntimeHints hints = new RuntimeHints();
		new IdsRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.resource().forResource("dev/idspring/jdbc/schema-postgresql.sql"))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(GeneratorProperties.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(GeneratorProperties.Coprime.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(GeneratorProperties.Numbers.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(GeneratorProperties.Recycled.class)).accepts(hints);
	}

	private static Object defaultOf(String name) throws Exception {
		List<Object> values = JsonPath.read(metadata(), "$.properties[?(@.name == '" + name + "')].defaultValue");
		return values.get(0);
	}

	private static String metadata() throws Exception {
		Path classes = Path.of(IdsAutoConfiguration.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		return Files.readString(classes.resolve("META-INF/spring-configuration-metadata.json"));
	}

}
