package dev.idspring.autoconfigure;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the property tables of the README say what the configuration metadata says.
 * <p>
 * With {@code -Dtest.ids.write-readme=true} the tables are written instead.
 */
class ReadmePropertyTablesTests {

	private static final Path README = Path.of("..", "README.md");

	private static final String COMMAND = "mvn test -pl id-spring-boot-autoconfigure -Dtest=ReadmePropertyTablesTests"
			+ " -Dtest.ids.write-readme=true";

	@Test
	void tablesAreThoseOfTheMetadata() throws Exception {
		String readme = Files.readString(README);
		String updated = tables(IdsMetadataTests.metadata()).update(readme);
		if (Boolean.getBoolean("test.ids.write-readme")) {
			Files.writeString(README, updated);
			return;
		}
		assertThat(readme)
			.as("The property tables of the README are not those of the metadata. Write them with%n  %s", COMMAND)
			.isEqualTo(updated);
	}

	@Test
	void everyPropertyIsInATable() throws Exception {
		assertThat(tables(IdsMetadataTests.metadata()).missing(Files.readString(README))).isEmpty();
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
				| `a.store` |  | Where. One of `jdbc`, `memory`, `none`. |
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
