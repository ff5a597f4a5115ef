package dev.idspring.text;

import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TextForm#pattern()}.
 */
class TextPatternTests {

	private static final String SPECIAL_CHARACTERS = "]^-\\[&|$/~!.*+?(){},:=<";

	private static final String ALL_CHARACTERS = IntStream.rangeClosed('!', '~')
		.mapToObj(Character::toString)
		.collect(Collectors.joining());

	private static TextForm formOfCounter(TextSettings settings) {
		return settings.formOfCounter("orders", TextForm.decimal(), 1, Long.MAX_VALUE - 1).form();
	}

	private static TextSettings settings(String alphabet, int length) {
		return TextSettings.none().withDigits(Alphabet.of(alphabet), length);
	}

	static Stream<TextForm> forms() {
		return Stream.of(TextForm.decimal(), TextForm.decimal20(), TextForm.digits(Alphabet.of("base36"), 13),
				formOfCounter(settings("base62", 6)), formOfCounter(settings("base58", 11)),
				formOfCounter(settings("base32", 7)), formOfCounter(settings(SPECIAL_CHARACTERS, 4)),
				formOfCounter(settings(ALL_CHARACTERS, 3)),
				formOfCounter(settings("base62", 6).withPrefix("ord_").withCheck()),
				formOfCounter(TextSettings.none().withPrefix("o-").withCheck()),
				formOfCounter(settings("base32", 8).withSecrets(TextSettingsTests.secret(1)).withCheck()),
				ScopePattern.of("(A+).{scope}[$]{yyyy}-{n:5}/{MM}", ScopePeriod.MONTH)
					.form(List.of("a*b\\c"), LocalDate.of(2026, 1, 2),
							TextSettings.none().withPrefix("R_").withCheck()));
	}

	@ParameterizedTest
	@MethodSource("forms")
	void patternMatchesFormattedStringsButNoSurroundingSpaces(TextForm form) {
		Pattern pattern = Pattern.compile("^" + form.pattern() + "$");
		Random random = new Random(5);
		for (int i = 0; i < 1_000; i++) {
			String text = form.format(random.nextLong(1, Long.MAX_VALUE) >>> random.nextInt(63));
			if (!pattern.matcher(text).find()) {
				assertThat(text).matches(pattern);
			}
			assertThat(pattern.matcher(text + ' ').find()).isFalse();
			assertThat(pattern.matcher(' ' + text).find()).isFalse();
		}
	}

	@ParameterizedTest
	@CsvSource({ "base62, [0-9A-Za-z]", "base58, [1-9A-HJ-NP-Za-km-z]", "base36, [0-9a-z]", "base32, [0-9A-TV-Za-tv-z]",
			"01, [01]", "zyx-, [\\-x-z]", "]^\\[, [\\[-\\^]" })
	void characterClassContainsTheParsableCharacters(String alphabet, String pattern) {
		assertThat(Alphabet.of(alphabet).pattern()).isEqualTo(pattern);
	}

	@Test
	void patternMatchesLookAlikes() {
		TextForm form = formOfCounter(settings("base32", 6));
		for (String text : List.of("abcdef", "ILOilo")) {
			form.parse(text);
			assertThat(text).matches(form.pattern());
		}
		assertThat("UUUUUU").doesNotMatch(form.pattern());
	}

	@Test
	void patternHasTheLengthsOfTheForm() {
		assertThat(TextForm.digits(Alphabet.of("base36"), 6).pattern()).isEqualTo("[0-9a-z]{6}");
		assertThat(TextForm.digits(Alphabet.of("base36"), 6, 8).pattern()).isEqualTo("[0-9a-z]{6,8}");
		assertThat(formOfCounter(settings("base36", 6).withPrefix("ord_").withCheck()).pattern())
			.isEqualTo("ord_[0-9a-z]{6,13}[0-9a-z]");
		assertThat(TextForm.decimal20().pattern()).isEqualTo("[0-9]{20}");
		assertThat("7").matches(TextForm.decimal(1).pattern());
		assertThat("10").doesNotMatch(TextForm.decimal(1).pattern());
		assertThat("07").doesNotMatch(TextForm.decimal(2).pattern());
	}

}
