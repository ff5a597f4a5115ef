package dev.idspring.integration.recipes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.testsupport.Documentation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each recipe of the documentation has a test that contains the recipe's
 * heading, and that the recipe's Java code is a copy of sources in the package of that
 * test.
 */
class RecipesTests {

	private static final List<Path> SOURCES = List.of(Path.of("src/test/java/dev/idspring/recipes"),
			Path.of("../id-jdbc/src/test/java/dev/idspring/example"));

	private static List<String> headings() {
		return Recipe.sections().stream().map((section) -> section.group(1)).toList();
	}

	@Test
	void pagesContainFifteenRecipes() {
		assertThat(headings()).hasSize(15).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@MethodSource("headings")
	void recipeShowsSourcesThatATestRuns(String heading) throws IOException {
		List<Path> tests = tests(heading);
		assertThat(tests).hasSize(1);
		String directory = Path.of("src/test/java").relativize(tests.get(0).getParent()).toString();
		assertThat(Recipe.of(directory.replace('/', '.'), heading).difference()).isEmpty();
	}

	private static List<Path> tests(String heading) throws IOException {
		for (Path source : SOURCES) {
			try (Stream<Path> files = Files.walk(source)) {
				List<Path> tests = files.filter((path) -> path.toString().endsWith("Tests.java"))
					.filter((path) -> Documentation.read(path).contains('"' + heading + '"'))
					.toList();
				if (!tests.isEmpty()) {
					return tests;
				}
			}
		}
		return List.of();
	}

}
