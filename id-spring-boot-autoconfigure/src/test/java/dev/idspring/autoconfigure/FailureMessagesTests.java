package dev.idspring.autoconfigure;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.SourceFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the messages of a failed startup are short: the problem, its place and the
 * remedy take at most twelve lines, no matter how many properties are listed.
 */
class FailureMessagesTests {

	private static final int MAX_LINES = 12;

	private static final int LINE_LENGTH = 110;

	/**
	 * The maximum total length of the string literals in the source code that creates one
	 * failure. Names and values, which are inserted at run time, do not count.
	 */
	private static final int MAX_LITERAL_CHARACTERS = 560;

	private static final Pattern CREATION = Pattern
		.compile("new (?:FailureAnalysis|\\w*(?:Setup|Unreachable|Mismatch|Regression)Exception)\\(");

	/** A property, an annotation, a bean, a type, a table, a column or a quoted name. */
	private static final Pattern PLACE = Pattern
		.compile("\\b(ids|spring)\\.|@\\w|'[^']+'|\\b[A-Z][a-z]+[A-Z]\\w+|[Tt]able |column |bean");

	private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

	/**
	 * Verify the length and the parts of the message of a failed startup.
	 */
	static void verifyShape(String description, String action) {
		assertThat(countLines(description + "\n" + action)).as(description + action).isLessThanOrEqualTo(MAX_LINES);
		String problem = description.strip().lines().findFirst().orElse("");
		assertThat(problem).matches(".*[.:]");
		assertThat(description + action).containsPattern(PLACE);
		assertThat(action).matches("(?s)\\p{Lu}.*\\.");
	}

	private static int countLines(String text) {
		return text.lines()
			.filter((line) -> !line.isBlank())
			.mapToInt((line) -> (line.length() + LINE_LENGTH - 1) / LINE_LENGTH)
			.sum();
	}

	@Test
	void failureMessagesAreShort() {
		List<Path> sources = SourceFiles.of("id-*", "src/main/java");
		assertThat(sources).hasSizeGreaterThan(100);
		assertThat(sources.stream().flatMap(FailureMessagesTests::failureStatements)).hasSizeGreaterThan(100)
			.allSatisfy((failure) -> assertThat(countLiteralCharacters(failure)).as(failure)
				.isLessThanOrEqualTo(MAX_LITERAL_CHARACTERS));
	}

	/**
	 * Return the statements of a file that create failures.
	 */
	private static Stream<String> failureStatements(Path file) {
		String source = Documentation.read(file);
		return CREATION.matcher(source)
			.results()
			.map((creation) -> source.substring(creation.start(), endOfStatement(source, creation.end())));
	}

	private static int endOfStatement(String source, int start) {
		int end = source.indexOf(";\n", start);
		return (end >= 0) ? end : source.length();
	}

	private static int countLiteralCharacters(String failure) {
		Matcher literals = LITERAL.matcher(failure);
		return literals.results().mapToInt((literal) -> literal.group(1).length()).sum();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 5, 20 })
	void messageHasTheRemedyWithinTheLimitHoweverManyPropertiesAreListed(int count) {
		MockEnvironment environment = new MockEnvironment();
		for (int i = 0; i < count; i++) {
			environment.setProperty("ids.jdbc.property-" + (char) ('a' + i), "value");
		}
		FailureAnalysis analysis = new IdSetupFailureAnalyzer(environment)
			.analyze(new IdSetupException("Table ids_slot is missing. ".repeat(16).strip(),
					"Create it. ".repeat(10).strip(), List.of("ids.jdbc"), null));
		assertThat(analysis).isNotNull();
		verifyShape(analysis.getDescription(), analysis.getAction());
		for (int i = 0; i < Math.min(6, count); i++) {
			assertThat(analysis.getDescription()).contains("ids.jdbc.property-" + (char) ('a' + i));
		}
	}

}
