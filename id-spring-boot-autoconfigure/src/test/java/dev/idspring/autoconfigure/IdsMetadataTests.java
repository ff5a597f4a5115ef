package dev.idspring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.time.SnowflakeSettings.Preset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the configuration metadata.
 */
class IdsMetadataTests {

	@Test
	void everyPropertyIsListedHereAndDescribedInASentence() throws Exception {
		List<Map<String, Object>> properties = JsonPath.read(metadata(), "$.properties");
		assertThat(properties).extracting((property) -> property.get("name"))
			.containsExactlyInAnyOrder("ids.enabled", "ids.strategy", "ids.key-space", "ids.scoped", "ids.period",
					"ids.zone", "ids.max-scopes", "ids.text.pattern", "ids.uuid.identity", "ids.verify-column",
					"ids.text.alphabet", "ids.text.length", "ids.text.max-length", "ids.text.prefix", "ids.text.check",
					"ids.text.secret", "ids.text.secrets", "ids.coprime.alphabet", "ids.coprime.length",
					"ids.coprime.max-length", "ids.coprime.multiplier", "ids.coprime.offset", "ids.coprime.preset",
					"ids.sequential.start", "ids.sequential.end", "ids.recycled.series-size",
					"ids.recycled.series-per-instance", "ids.recycled.capacity", "ids.gapless.start", "ids.gapless.end",
					"ids.snowflake.preset", "ids.snowflake.epoch", "ids.snowflake.time-bits", "ids.snowflake.node-bits",
					"ids.snowflake.tail-bits", "ids.snowflake.tail", "ids.snowflake.format", "ids.decimal-uid.epoch",
					"ids.decimal-uid.random-digits", "ids.decimal-uid.node-digits", "ids.decimal-uid.signed",
					"ids.composite.epoch", "ids.composite.prefix", "ids.composite.prefix-digits",
					"ids.composite.sequence-digits", "ids.node.source", "ids.node.id", "ids.clock.max-ahead",
					"ids.clock.max-skew", "ids.lease", "ids.block.size", "ids.block.max-size", "ids.block.wait-timeout",
					"ids.block.outage-reserve", "ids.store", "ids.jdbc.initialize-schema", "ids.jdbc.schema",
					"ids.jdbc.platform", "ids.jdbc.table-prefix", "ids.jdbc.connection", "ids.jdbc.failover-margin",
					"ids.jdbc.failover-lag", "ids.jdbc.synchronous-commit", "ids.redis.key-prefix", "ids.redis.local",
					"ids.redis.replicas", "ids.redis.initialize", "ids.redis.accept-data-loss",
					"ids.redis.failover-margin", "ids.redis.failover-lag", "ids.health.low-remaining",
					"ids.health.low-horizon", "ids.generators", "ids.skip-ahead.key-space", "ids.skip-ahead.by",
					"ids.skip-ahead.series", "ids.skip-ahead.confirm", "ids.command", "ids.output",
					"ids.schema.confirm", "ids.columns.watch", "ids.adopt.table", "ids.adopt.generator",
					"ids.adopt.source", "ids.adopt.row", "ids.adopt.allocation-size", "ids.adopt.end",
					"ids.adopt.keep-source", "ids.adopt.file", "ids.adopt.confirm", "ids.backfill.table",
					"ids.backfill.column", "ids.backfill.generator", "ids.backfill.form", "ids.backfill.batch",
					"ids.backfill.rate", "ids.backfill.confirm", "ids.leave.table", "ids.leave.generator",
					"ids.leave.sequence", "ids.leave.allocation-size", "ids.leave.file", "ids.ddl.generator",
					"ids.ddl.platform", "ids.ddl.node", "ids.ddl.schema", "ids.ddl.function", "ids.ddl.file",
					"management.endpoint.ids.access", "management.endpoint.ids.cache.time-to-live",
					"management.health.ids.enabled");
		assertThat(properties)
			.allSatisfy((property) -> assertThat(property.get("description")).asString().matches("[A-Z].*\\."));
	}

	/**
	 * If {@code @param tailBits} precedes {@code @param tail}, the annotation processor
	 * uses the end of the description of {@code tailBits} as the description of
	 * {@code tail}.
	 */
	@Test
	void noDescriptionIsASuffixOfAnother() throws Exception {
		List<String> descriptions = JsonPath.read(metadata(), "$.properties[*].description");
		assertThat(descriptions).allSatisfy((description) -> assertThat(descriptions)
			.noneMatch((other) -> !other.equals(description) && other.endsWith(" " + description)));
	}

	@Test
	void hintsListTheConstantsOfTheirEnums() throws Exception {
		assertThat(hintsOf("ids.strategy"))
			.containsExactlyElementsOf(Arrays.stream(Strategy.values()).map(Strategy::id).toList());
		assertThat(hintsOf("ids.node.source")).containsExactlyElementsOf(
				Arrays.stream(GeneratorProperties.Node.Source.values()).map(Strategy::nameOf).toList());
		assertThat(hintsOf("ids.store")).containsExactlyElementsOf(
				Arrays.stream(StoreType.values()).map((type) -> type.name().toLowerCase(Locale.ROOT)).toList());
	}

	@Test
	void everyHintBelongsToAProperty() throws Exception {
		List<String> names = JsonPath.read(metadata(), "$.properties[*].name");
		List<String> hintNames = JsonPath.read(metadata(), "$.hints[*].name");
		assertThat(names).containsAll(hintNames);
	}

	@Test
	void epochHintsMatchThePresets() throws Exception {
		assertThat(hintsOf("ids.snowflake.epoch")).containsExactlyElementsOf(Arrays.stream(Preset.values())
			.map((preset) -> preset.settings().epoch().toString())
			.distinct()
			.toList());
	}

	@Test
	void defaultsAreUnchanged() throws Exception {
		assertThat(defaultOf("ids.block.size")).isEqualTo(1000);
		assertThat(defaultOf("ids.block.max-size")).isEqualTo(5000000);
		assertThat(defaultOf("ids.block.wait-timeout")).isEqualTo("5s");
		assertThat(defaultOf("ids.sequential.start")).isEqualTo(1);
		assertThat(defaultOf("ids.sequential.end")).isEqualTo(9223372036854775806L);
		assertThat(defaultOf("ids.gapless.end")).isEqualTo(9223372036854775806L);
		assertThat(defaultOf("ids.recycled.series-size")).isEqualTo(1000000);
		assertThat(defaultOf("ids.jdbc.failover-lag")).isEqualTo("5s");
		assertThat(defaultOf("ids.recycled.series-per-instance")).isEqualTo(1);
		assertThat(defaultOf("ids.recycled.capacity")).isEqualTo(9223372036854000000L);
		assertThat(defaultOf("ids.lease")).isEqualTo("30s");
		assertThat(defaultOf("ids.snowflake.preset")).isEqualTo("standard");
		assertThat(defaultOf("ids.snowflake.format")).isEqualTo("decimal");
		assertThat(defaultOf("ids.decimal-uid.epoch")).isEqualTo("2011-01-01T00:00:00Z");
		assertThat(defaultOf("ids.decimal-uid.random-digits")).isEqualTo(6);
		assertThat(defaultOf("ids.decimal-uid.node-digits")).isEqualTo(1);
		assertThat(defaultOf("ids.decimal-uid.signed")).isEqualTo(true);
		assertThat(defaultOf("ids.composite.epoch")).isEqualTo("2024-01-01T00:00:00Z");
		assertThat(defaultOf("ids.composite.prefix-digits")).isEqualTo(3);
		assertThat(defaultOf("ids.composite.sequence-digits")).isEqualTo(3);
		assertThat(defaultOf("ids.node.source")).isEqualTo("lease");
		assertThat(defaultOf("ids.clock.max-ahead")).isEqualTo("1s");
		assertThat(defaultOf("ids.clock.max-skew")).isEqualTo("1m");
		assertThat(defaultOf("ids.coprime.alphabet")).isEqualTo("base62");
		assertThat(defaultOf("ids.coprime.length")).isEqualTo(6);
		assertThat(defaultOf("ids.jdbc.table-prefix")).isEqualTo("ids_");
		assertThat(defaultOf("ids.strategy")).isEqualTo("coprime");
		assertThat(defaultOf("ids.store")).isEqualTo("jdbc");
		assertThat(defaultOf("ids.enabled")).isEqualTo(true);
		assertThat(defaultOf("ids.coprime.offset")).isEqualTo(0);
		assertThat(defaultOf("ids.block.outage-reserve")).isEqualTo("0s");
		assertThat(defaultOf("ids.health.low-remaining")).isEqualTo("10%");
		assertThat(defaultOf("ids.health.low-horizon")).isEqualTo("30d");
		assertThat(defaultOf("ids.jdbc.initialize-schema")).isEqualTo("embedded");
		assertThat(defaultOf("ids.jdbc.schema")).isEqualTo("classpath:dev/idspring/jdbc/schema-@@platform@@.sql");
		assertThat(defaultOf("ids.redis.key-prefix")).isEqualTo("ids");
		assertThat(defaultOf("ids.redis.local")).isEqualTo(1);
		assertThat(defaultOf("ids.redis.replicas")).isEqualTo(0);
		assertThat(defaultOf("ids.redis.failover-margin")).isEqualTo(1000000);
		assertThat(defaultOf("ids.redis.failover-lag")).isEqualTo("5s");
		assertThat(defaultOf("ids.redis.initialize")).isEqualTo("never");
		assertThat(defaultOf("ids.jdbc.connection")).isEqualTo("dedicated");
		assertThat(defaultOf("ids.jdbc.failover-margin")).isEqualTo(1000000);
		assertThat(defaultOf("ids.jdbc.failover-lag")).isEqualTo("5s");
	}

	private static Object defaultOf(String name) throws Exception {
		List<Object> values = JsonPath.read(metadata(), "$.properties[?(@.name == '" + name + "')].defaultValue");
		return values.get(0);
	}

	private static List<String> hintsOf(String name) throws Exception {
		return JsonPath.read(metadata(), "$.hints[?(@.name == '" + name + "')].values[*].value");
	}

	static String metadata() throws Exception {
		Path classes = Path.of(IdsAutoConfiguration.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		return Files.readString(classes.resolve("META-INF/spring-configuration-metadata.json"));
	}

}
