package dev.idspring.text;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.idspring.InvalidSettingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ScopePattern}.
 */
class ScopePatternTests {

	private static final LocalDate DAY = LocalDate.of(2026, 3, 7);

	@ParameterizedTest
	@CsvSource({ "YEAR, INV-{scope}-{yyyy}-{n:5}, INV-acme-2026-00042", "NONE, {n}, 42", "NONE, {n:2}, 42",
			"DAY, {yy}{MM}{dd}/{n:3}, 260307/042", "MONTH, {scope:1}_{scope}:{yyyy}-{MM} #{n}, berlin_acme:2026-03 #42",
			"YEAR, {n}.{yyyy}, 42.2026", "YEAR, {yyyy}{n:4}, 20260042", "NONE, {n}-{scope}, 42-acme" })
	void numberIsWrittenAndReadWithItsPattern(ScopePeriod period, String pattern, String text) {
		List<String> scope = pattern.contains("{scope:1}") ? List.of("acme", "berlin") : List.of("acme");
		TextForm form = ScopePattern.of(pattern, period).form(scope, DAY, TextSettings.none());
		assertThat(form.format(42)).isEqualTo(text);
		assertThat(form.parse(text)).isEqualTo(42);
		assertThat(form.parse(form.format(Long.MAX_VALUE - 1))).isEqualTo(Long.MAX_VALUE - 1);
	}

	@ParameterizedTest
	@CsvSource({ "YEAR, INV-{scope}-{yyyy}-{n:5}", "DAY, {yy}{MM}{dd}/{scope}/{n:3}",
			"MONTH, {scope:1}_{scope}:{yyyy}-{MM} #{n}", "NONE, {n}-{scope}", "NONE, {scope}/{scope}/{n}" })
	void scopeAndPeriodAndNumberAreReadFromTheString(ScopePeriod period, String pattern) {
		ScopePattern scopePattern = ScopePattern.of(pattern, period);
		TextSettings settings = TextSettings.none().withPrefix("doc_").withCheck();
		List<String> scope = pattern.contains("{scope:1}") ? List.of("acme", "berlin") : List.of("acme");
		TextForm form = scopePattern.form(scope, DAY, settings);
		for (long number : new long[] { 1, 42, 123_456_789, Long.MAX_VALUE - 1 }) {
			String text = form.format(number);
			assertThat(scopePattern.read(text, settings)).hasValueSatisfying((found) -> {
				assertThat(found.scope()).isEqualTo(scope);
				assertThat(found.number()).isEqualTo(number);
				assertThat(period.nameOf(found.day())).isEqualTo(period.nameOf(DAY));
			});
			for (int i = 0; i <= text.length(); i++) {
				for (String other : List.of(text.substring(0, i) + "7" + text.substring(i), text.substring(i))) {
					scopePattern.read(other, settings)
						.ifPresent((found) -> assertThat(
								scopePattern.form(found.scope(), found.day(), settings).format(found.number()))
							.isEqualTo(other));
				}
			}
		}
	}

	@Test
	void readsNoScopeIfThePatternLacksAPartAndNothingFromAnInvalidString() {
		ScopePattern pattern = ScopePattern.of("{scope:1}-{n}", ScopePeriod.NONE);
		assertThat(pattern.read("berlin-7", TextSettings.none())).hasValueSatisfying((found) -> {
			assertThat(found.scope()).isEmpty();
			assertThat(found.number()).isEqualTo(7);
		});
		assertThat(ScopePattern.of("{yyyy}{MM}-{n}", ScopePeriod.MONTH).read("202613-7", TextSettings.none()))
			.isEmpty();
		assertThat(ScopePattern.of("{n}", ScopePeriod.NONE).read("", TextSettings.none())).isEmpty();
	}

	@Test
	void prefixAndCheckCharacterApply() {
		TextForm form = ScopePattern.of("{scope}-{yyyy}-{n:5}", ScopePeriod.YEAR)
			.form(List.of("acme"), DAY, TextSettings.none().withPrefix("INV-").withCheck());
		String text = form.format(42);
		assertThat(text).startsWith("INV-acme-2026-00042").hasSize(20);
		assertThat(form.parse(text)).isEqualTo(42);
		char wrong = (text.charAt(19) == 'A') ? 'B' : 'A';
		assertThatIllegalArgumentException().isThrownBy(() -> form.parse(text.substring(0, 19) + wrong))
			.withMessageContaining("wrong check character");
		assertThatIllegalArgumentException().isThrownBy(() -> form.parse("acme-2026-00042"))
			.withMessageContaining("must begin with INV-");
	}

	@Test
	void checkCharacterConformsToIso7064() {
		// example of ISO/IEC 7064, MOD 37,36: A12425GABC1234002 has the check character M
		TextForm form = ScopePattern.of("{scope}-{n}", ScopePeriod.NONE)
			.form(List.of("A12425GABC"), DAY, TextSettings.none().withCheck());
		assertThat(form.format(1_234_002)).isEqualTo("A12425GABC-1234002M");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "INV-acme-2026-0042 | must be 'INV-acme-2026-'", "INV-acme-2027-00042 | must be 'INV-acme-2026-'",
					"INV-globex-2026-00042 | must be 'INV-acme-2026-'", "INV-acme-2026-000042 | no leading zeros",
					"INV-acme-2026-0004x | must be 'INV-acme-2026-'", "INV-acme-2026--0042 | must be 'INV-acme-2026-'",
					"INV-acme-2026-99999999999999999999 | must be",
					"INV-acme-2026-9999999999999999999 | higher than any" })
	void stringOfAnotherScopeOrPeriodOrFormIsRejected(String text, String why) {
		TextForm form = ScopePattern.of("INV-{scope}-{yyyy}-{n:5}", ScopePeriod.YEAR)
			.form(List.of("acme"), DAY, TextSettings.none());
		assertThatIllegalArgumentException().isThrownBy(() -> form.parse(text)).withMessageContaining(why);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "YEAR | {scope}-{n} | lacks {yyyy}", "MONTH | {yyyy}-{n} | lacks {MM}",
			"DAY | {yy}{MM}-{n} | lacks {dd}", "NONE | {yyyy}-{n} | has {yyyy}, whose value is not known",
			"NONE | {yy}-{n} | has {yy}, whose value", "NONE | {yyyy}-{yy}-{n} | has {yyyy}, {yy}, whose",
			"YEAR | {yyyy}{MM}-{n} | has {MM}", "NONE | {scope}{n} | {scope} and {n} side by side",
			"NONE | {n}{scope} | {n} and {scope} side by side", "NONE | {scope}{scope:1}-{n} | side by side",
			"YEAR | {scope}{yyyy}{n} | {scope} and {yyyy} side by side", "YEAR | {n}{yyyy}{scope} | side by side",
			"NONE | {n}0-{scope} | has a digit after {n}", "NONE | {scope}- | must have one number",
			"NONE | {n}-{n:5} | must have one number", "NONE | {tenant}-{n} | unknown placeholder {tenant}",
			"NONE | {scope:8}-{n} | unknown placeholder", "NONE | {%s}-{n} | unknown placeholder {%s}",
			"NONE | {%s%d}-{n} | unknown placeholder {%s%d}", "NONE | {n:0} | unknown placeholder",
			"NONE | a{n}} | brace", "NONE | {{n} | brace", "NONE | \u00e4{n} | printable ASCII" })
	void invalidPatternIsRejected(ScopePeriod period, String pattern, String why) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> ScopePattern.of(pattern, period))
			.withMessageContaining("pattern is '")
			.withMessageContaining(why);
	}

	@Test
	void scopeThatDoesNotFitThePatternIsRejected() {
		ScopePattern pattern = ScopePattern.of("{scope}--{scope:1}/{n}", ScopePeriod.NONE);
		pattern.verify(List.of("a-b", "c"));
		assertThatIllegalArgumentException().isThrownBy(() -> pattern.verify(List.of("a--b", "c")))
			.withMessageContaining("'a--b' cannot precede '--'");
		assertThatIllegalArgumentException().as("a---c can be read as a-, --, c and as a, --, -c")
			.isThrownBy(() -> pattern.verify(List.of("a-", "c")));
		assertThatIllegalArgumentException().isThrownBy(() -> pattern.verify(List.of("a", "b/c")));
		assertThatIllegalArgumentException().isThrownBy(() -> pattern.verify(List.of("a")))
			.withMessageContaining("number of parts of the scope is 1,")
			.withMessageContaining("requires 2.");
	}

	@Test
	void differentScopesOrNumbersHaveDifferentTexts() {
		List<String> patterns = List.of("{scope}-{n}", "{scope}-{scope:1}-{n}", "{n}-{scope}",
				"{n}--{scope}-1{scope:1}", "1{n}a{scope}1", "{scope}11{n}", "{scope}a{n}a{scope:1}");
		Random random = new Random(1);
		for (String text : patterns) {
			ScopePattern pattern = ScopePattern.of(text, ScopePeriod.NONE);
			Map<String, String> seen = new HashMap<>();
			for (int i = 0; i < 20_000; i++) {
				List<String> scope = text.contains("scope:1") ? List.of(word(random), word(random))
						: List.of(word(random));
				long number = random.nextInt(120);
				try {
					pattern.verify(scope);
				}
				catch (IllegalArgumentException ex) {
					continue;
				}
				String written = pattern.form(scope, DAY, TextSettings.none()).format(number);
				String scopeAndNumber = scope + "/" + number;
				assertThat(seen.merge(written, scopeAndNumber, (before, now) -> before)).as("%s in %s", written, text)
					.isEqualTo(scopeAndNumber);
			}
			assertThat(seen).as(text).hasSizeGreaterThan(500);
		}
	}

	private static String word(Random random) {
		StringBuilder word = new StringBuilder();
		for (int length = 1 + random.nextInt(4); length > 0; length--) {
			word.append("-1a".charAt(random.nextInt(3)));
		}
		return word.toString();
	}

	@Test
	void patternWithoutThePartsOfTheScopeIsNotUnique() {
		assertThat(ScopePattern.of("{n}", ScopePeriod.NONE).isUnique()).isFalse();
		assertThat(ScopePattern.of("{scope:1}-{n}", ScopePeriod.NONE).isUnique()).isFalse();
		assertThat(ScopePattern.of("{scope:1}-{scope}-{n}", ScopePeriod.NONE).isUnique()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "INV {n} check", "INV {n} prefix=A-", "INV%20{n}" })
	void literalThatResemblesAnotherSettingChangesTheDefinition(String pattern) {
		TextSettings none = TextSettings.none();
		ScopePattern plain = ScopePattern.of("INV {n}", ScopePeriod.NONE);
		assertThat(List.of(none, none.withCheck(), none.withPrefix("A-"))).extracting(plain::definition)
			.doesNotContain(ScopePattern.of(pattern, ScopePeriod.NONE).definition(none));
	}

	@Test
	void literalThatResemblesSecretsIsNotReadAsSecrets() {
		String definition = ScopePattern.of("{n} secrets=", ScopePeriod.NONE).definition(TextSettings.none());
		String other = ScopePattern.of("{n} secrets=,1/ab", ScopePeriod.NONE).definition(TextSettings.none());
		assertThat(TextSettings.addsSecrets(other, definition)).isFalse();
	}

	@Test
	void digitSettingsAreRejected() {
		ScopePattern pattern = ScopePattern.number();
		assertThat(pattern.definition(TextSettings.none().withCheck().withPrefix("A-")))
			.isEqualTo(" text pattern={n} check prefix=A-");
		assertThatExceptionOfType(InvalidSettingException.class)
			.isThrownBy(() -> pattern.definition(TextSettings.none().withDigits(Alphabet.of("base36"), 5)))
			.withMessageContaining("alphabet is");
	}

}
