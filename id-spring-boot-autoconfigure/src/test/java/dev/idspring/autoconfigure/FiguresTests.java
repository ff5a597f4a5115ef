package dev.idspring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import dev.idspring.testsupport.Documentation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the README and the pages quote the reports of the benchmarks exactly.
 */
class FiguresTests {

	private static final Pattern CODE_SPAN = Pattern.compile("`([^`]+)`");

	/** A reference from a sentence to a row of the report. */
	private static final Pattern ROW_REFERENCE = Pattern.compile("\\(row `([^`]+)`");

	private static final Path BENCHMARKS = Path.of("..", "benchmarks");

	@ParameterizedTest
	@CsvSource({ "README.md, short, RESULTS.md", "docs/performance.md, figures, RESULTS.md",
			"docs/performance.md, inserts, INSERTS.md", "docs/performance.md, ratios, RESULTS.md",
			"docs/fleets.md, fleets, FLEETS.md", "README.md, start, STARTS.md", "docs/starts.md, starts, STARTS.md",
			"docs/text-forms.md, texts, TEXTS.md", "docs/performance.md, first, FIRST.md",
			"docs/comparison.md, faults, FAULTS.md", "README.md, scoreboard, FAULTS.md" })
	void pageMatchesTheReport(String page, String name, String report) throws Exception {
		assertThat(section(Path.of("..", page), name))
			.as("The section '%2$s' of %1$s differs from that of benchmarks/%3$s. Update both with%n  %4$s", page, name,
					report, "java -jar benchmarks/target/benchmarks.jar report")
			.isEqualTo(section(BENCHMARKS.resolve(report), name));
	}

	@Test
	void recommendationsReferToRowsOfTheReport() throws Exception {
		String text = Documentation.page("strategies");
		String table = text.substring(text.indexOf("| for | use | measured |")).split("\n\n")[0];
		List<String> names = new ArrayList<>();
		table.lines()
			.skip(2)
			.map((row) -> row.split(" \\| ")[2])
			.forEach((cell) -> names.addAll(names(CODE_SPAN, cell)));
		names.addAll(names(ROW_REFERENCE, text));
		names.addAll(names(ROW_REFERENCE, Documentation.page("performance")));
		assertThat(names).hasSizeGreaterThan(15).contains("gapless", "coprime, number", "UUID, version 4");
		assertThat(section(Documentation.file("performance"), "inserts"))
			.contains(names.stream().map("| %s |"::formatted).toList());
	}

	private static List<String> names(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((match) -> match.group(1)).toList();
	}

	private static String section(Path file, String name) throws Exception {
		String begin = "<!-- begin " + name + " -->\n";
		String end = "<!-- end " + name + " -->";
		String text = Files.readString(file);
		assertThat(text).containsOnlyOnce(begin).containsOnlyOnce(end);
		return text.substring(text.indexOf(begin) + begin.length(), text.indexOf(end));
	}

}
