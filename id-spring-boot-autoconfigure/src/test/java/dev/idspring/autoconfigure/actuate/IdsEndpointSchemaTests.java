package dev.idspring.autoconfigure.actuate;

import java.util.List;

import dev.idspring.testsupport.IdsEndpointSchema;
import dev.idspring.testsupport.Documentation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the schema of the {@link IdsEndpoint} accepts its responses, and rejects
 * responses with another shape.
 */
class IdsEndpointSchemaTests {

	private static final String COPRIME = """
			{ "strategy": "coprime", "status": "UP", "definition": "coprime length=6",
			  "keySpace": { "name": "default", "capacity": 56800235584, "reserved": 3000, "remaining": 56800232584,
			    "usedPercent": 0.000005, "idsPerSecond": 125.3, "exhaustedAt": "2040-02-03T04:05:06Z" },
			  "block": { "size": 1000, "remaining": 642, "ahead": 1000, "reservations": 3, "exhaustions": 0,
			    "failures": 0, "lastReservedAt": "2026-11-21T12:00:00Z", "lastReservationMillis": 3.1,
			    "lastError": null } }""";

	private static final String ALL_GENERATORS = """
			{ "store": { "type": "jdbc", "database": "PostgreSQL", "status": "UP", "warnings": ["beware"] },
			  "generators": { "default": %s } }""".formatted(COPRIME);

	private static final String ID = """
			{ "id": "32251436801", "text": "zcDK0x", "ordinal": 1, "reserved": true }""";

	private static final String TIME_BASED_ID = """
			{ "id": "382252519424000000", "text": "382252519424000000", "time": "2026-11-21T12:00:00.123Z",
			  "node": 3, "tail": 0 }""";

	@Test
	void sampleResponsesAreValid() {
		IdsEndpointSchema.IDS.verify(ALL_GENERATORS);
		IdsEndpointSchema.GENERATOR.verify(COPRIME);
		IdsEndpointSchema.ID.verify(ID);
		IdsEndpointSchema.ID.verify(TIME_BASED_ID);
	}

	@Test
	void acceptsCountsOfAnySize() {
		IdsEndpointSchema.GENERATOR.verify(COPRIME.replace("56800235584", "340282366920938463463374607431768211456"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
			"UP"                     | "up"
			"UP"                     | "UNKNOWN"
			"coprime",               | "prime",
			56800235584              | "56800235584"
			56800235584              | 0
			3000                     | 3000.5
			3000                     | 3000.0
			3000                     | 3E3
			3000                     | -1
			0.000005                 | 100.1
			125.3                    | "125.3"
			"remaining": 642,        |
			"exhaustions": 0,        | "exhaustions": null,
			"failures": 0,           | "failures": 0, "successes": 3,
			"lastError": null        | "lastError": ""
			"lastError": null        | "lasterror": null
			"name": "default"        | "name": ""
			2040-02-03T04:05:06Z     | 2040-02-03
			2040-02-03T04:05:06Z     | 2040-02-30T04:05:06Z
			2026-11-21T12:00:00Z     | 2026-11-21T12:00:00+01:00
			"2026-11-21T12:00:00Z"   | 1795262400
			"UP", "def               | "UP", "node": null, "def
			"UP", "def               | "UP", "series": [], "def
			"reserved": 3000,        | "reserved": 3000, "remainingOfNode": 1,
			"coprime",               | "recycled",
			"coprime",               | "snowflake",""")
	void generatorWithAnotherShapeIsInvalid(String right, String wrong) {
		assertInvalid(IdsEndpointSchema.GENERATOR, COPRIME, right, wrong);
		assertInvalid(IdsEndpointSchema.IDS, ALL_GENERATORS, right, wrong);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
			"status": "UP", "warnings" | "status": "LOW", "warnings"
			"PostgreSQL"               | 7
			["beware"]                 | "beware"
			["beware"]                 | [""]
			"generators"               | "more": 1, "generators\"""")
	void storeWithAnotherShapeIsInvalid(String right, String wrong) {
		assertInvalid(IdsEndpointSchema.IDS, ALL_GENERATORS, right, wrong);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
			"32251436801"     | 32251436801
			"32251436801"     | "-32251436801"
			"32251436801"     | "032251436801"
			"zcDK0x"          | null
			"ordinal": 1,     |
			"ordinal": 1,     | "ordinal": 1, "tail": 1,
			"ordinal": 1,     | "ordinal": "1",""")
	void idWithAnotherShapeIsInvalid(String right, String wrong) {
		assertInvalid(IdsEndpointSchema.ID, ID, right, wrong);
	}

	@Test
	void acceptsAnIdWithoutReserved() {
		IdsEndpointSchema.ID.verify("{ \"id\": \"32251436801\", \"text\": \"zcDK0x\", \"ordinal\": 1 }");
	}

	@Test
	void timeBasedIdRequiresAllOfItsPartsAndNoOrdinal() {
		assertInvalid(IdsEndpointSchema.ID, TIME_BASED_ID, "\"node\": 3,", "");
		assertInvalid(IdsEndpointSchema.ID, TIME_BASED_ID, "\"node\": 3,", "\"node\": 3, \"ordinal\": 1,");
	}

	@Test
	void documentedExamplesAreValid() {
		List<String> examples = Documentation.examples(Documentation.page("endpoint"), "json");
		assertThat(examples).hasSize(3);
		IdsEndpointSchema.IDS.verify(examples.get(0));
		IdsEndpointSchema.GENERATOR.verify(examples.get(1));
		IdsEndpointSchema.GENERATOR.verify(examples.get(2));
	}

	private static void assertInvalid(IdsEndpointSchema schema, String json, String right, String wrong) {
		assertThat(json).contains(right);
		String changedJson = json.replace(right, (wrong != null) ? wrong : "");
		assertThat(schema.problems(changedJson)).as(changedJson).isNotEmpty();
	}

}
