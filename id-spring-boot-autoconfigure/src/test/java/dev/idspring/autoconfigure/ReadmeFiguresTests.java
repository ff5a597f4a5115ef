package dev.idspring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the README quotes what the benchmarks have written, and nothing else.
 */
class ReadmeFiguresTests {

	private static final Path README = Path.of("..", "README.md");

	private static final Path RESULTS = Path.of("..", "benchmarks", "RESULTS.md");

	@Test
	void figuresAreThoseOfTheResults() throws Exception {
		String measured = Files.exists(RESULTS) ? figures(RESULTS) : "Not measured yet.\n";
		assertThat(figures(README))
			.as("The figures of the README are not those of benchmarks/RESULTS.md. Write both with%n  %s",
					"java -jar benchmarks/target/benchmarks.jar report")
			.isEqualTo(measured);
	}

	private static String figures(Path file) throws Exception {
		String text = Files.readString(file);
		assertThat(text).containsOnlyOnce("<!-- begin figures -->\n").containsOnlyOnce("<!-- end figures -->");
		return text.substring(text.indexOf("<!-- begin figures -->\n") + "<!-- begin figures -->\n".length(),
				text.indexOf("<!-- end figures -->"));
	}

}
