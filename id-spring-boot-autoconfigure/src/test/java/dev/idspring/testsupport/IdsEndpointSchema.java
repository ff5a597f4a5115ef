package dev.idspring.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The schemas of the endpoint's responses, one for each kind of response.
 */
public enum IdsEndpointSchema {

	IDS, GENERATOR, ID, CANDIDATES, SCOPED, SCOPE, SCOPE_PAGE, COLUMNS;

	/**
	 * Matches a count that is written with a fraction or an exponent. Does not match
	 * percentages, rates and durations, which may be written in this way.
	 */
	private static final Pattern COUNT_WITH_FRACTION = Pattern
		.compile("\"(?!usedPercent|idsPerSecond|lastReservationMillis|lastDrawMillis)\\w+\"\\s*:\\s*-?\\d+[.eE]");

	private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
			(registry) -> registry
				.schemaRegistryConfig(SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));

	/**
	 * Return the schema of the responses at a path.
	 * @param path the path below {@code /actuator/ids}
	 */
	public static IdsEndpointSchema at(String path) {
		// no slash: IDS, one slash: GENERATOR, two slashes: ID
		return path.startsWith("?") ? CANDIDATES
				: values()[(int) path.chars().filter((character) -> character == '/').count()];
	}

	/**
	 * Return the violations of the schema in a response.
	 */
	public List<String> problems(String json) {
		SchemaLocation location = SchemaLocation
			.of("classpath:dev/idspring/testsupport/ids-endpoint.schema.json#/$defs/"
					+ name().toLowerCase(Locale.ROOT).replace("_p", "P"));
		List<String> problems = new ArrayList<>();
		SCHEMAS.getSchema(location).validate(json, InputFormat.JSON).forEach((error) -> problems.add(error.toString()));
		// JSON Schema accepts 3E3 as an integer, but many clients do not
		COUNT_WITH_FRACTION.matcher(json).results().map(MatchResult::group).forEach(problems::add);
		return problems;
	}

	public void verify(String json) {
		assertThat(problems(json)).as(json).isEmpty();
	}

}
