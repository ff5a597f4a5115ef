package dev.idspring.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.SourceFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each Java example of the pages about entities, id types, requests, tests and
 * other libraries, and each entity of the README, is part of a test source file.
 */
class EntityExamplesTests {

	private static final List<String> MODULES = List.of("integration-tests", "neighbour-tests",
			"id-spring-boot-autoconfigure", "sample-app");

	@Test
	void documentationExamplesAppearInTestSources() {
		List<String> sources = MODULES.stream()
			.flatMap((module) -> SourceFiles.of(module, "src/test/java").stream())
			.map(Documentation::read)
			.map(EntityExamplesTests::normalized)
			.toList();
		List<String> examples = Stream
			.of("entities-jpa", "entities-spring-data", "r2dbc", "web-json", "uuid-and-types", "testing", "neighbours")
			.flatMap((page) -> Documentation.examples(Documentation.page(page), "java").stream())
			.collect(Collectors.toCollection(ArrayList::new));
		Documentation.examples(Documentation.readme(), "java")
			.stream()
			.filter((example) -> example.contains("@GeneratedId"))
			.forEach(examples::add);
		assertThat(examples).hasSizeGreaterThanOrEqualTo(10)
			.allSatisfy((example) -> assertThat(sources).anyMatch((source) -> source.contains(normalized(example))));
	}

	/**
	 * Remove the package, imports, line breaks and indentation, which may differ.
	 */
	private static String normalized(String code) {
		return code.replaceAll("(?m)^(package|import) .*$", "").replaceAll("\\s+", " ").strip();
	}

}
