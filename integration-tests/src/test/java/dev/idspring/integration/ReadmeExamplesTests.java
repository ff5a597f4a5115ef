package dev.idspring.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each example in Java that the README shows of entities is a piece of a source here, or
 * in the tests of the auto-configuration, where a test runs it.
 */
class ReadmeExamplesTests {

	private static final Path ROOT = Path.of("..");

	@Test
	void examplesOfEntitiesAreSourcesThatTestsRun() throws IOException {
		String readme = Files.readString(ROOT.resolve("README.md"));
		String section = readme.substring(readme.indexOf("\n## Entities\n"), readme.indexOf("\n## Configuration\n"));
		List<String> sources = new ArrayList<>();
		for (Path tests : List.of(ROOT.resolve("integration-tests/src/test/java"),
				ROOT.resolve("id-spring-boot-autoconfigure/src/test/java"))) {
			try (Stream<Path> files = Files.walk(tests)) {
				for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
					sources.add(normalized(Files.readString(file)));
				}
			}
		}
		Matcher example = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(section);
		int count = 0;
		while (example.find()) {
			String code = normalized(example.group(1));
			assertThat(sources).as(example.group(1)).anyMatch((source) -> source.contains(code));
			count++;
		}
		assertThat(count).isGreaterThanOrEqualTo(6);
	}

	/**
	 * Leave out what sources need and readers do not: the package, imports, and how lines
	 * are broken and indented.
	 */
	private static String normalized(String code) {
		return code.replaceAll("(?m)^(package|import) .*$", "").replaceAll("\\s+", " ").strip();
	}

}
