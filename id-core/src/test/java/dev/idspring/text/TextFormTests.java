package dev.idspring.text;

import java.text.Collator;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link TextForm}.
 */
class TextFormTests {

	private final TextForm base62 = TextForm.digits(Alphabet.of("base62"), 11);

	private final TextForm base32 = TextForm.digits(Alphabet.of("base32"), 13);

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 61, 62, 1L << 53, Long.MAX_VALUE - 1, Long.MAX_VALUE })
	void formattedNumberIsParsedBack(long number) {
		for (TextForm form : List.of(this.base62, this.base32, TextForm.decimal(), TextForm.decimal20())) {
			assertThat(form.parse(form.format(number))).isEqualTo(number);
		}
	}

	@Test
	void twentyDigitsHoldUnsignedNumbers() {
		assertThat(TextForm.decimal20().format(-1)).isEqualTo("18446744073709551615");
		assertThat(TextForm.decimal20().parse("18446744073709551615")).isEqualTo(-1);
		assertThat(TextForm.decimal20().format(1_234_561)).isEqualTo("00000000000001234561");
	}

	@Test
	void formIsCaseSensitiveIfTheAlphabetHasALetterInBothCases() {
		for (String alphabet : List.of("base62", "base58", "abcABC", "01xX")) {
			assertThat(TextForm.digits(Alphabet.of(alphabet), 6).isCaseSensitive()).isTrue();
		}
		for (String alphabet : List.of("base36", "base32", "0123456789ABCDEF", "abcDEF", "+-")) {
			assertThat(TextForm.digits(Alphabet.of(alphabet), 6).isCaseSensitive()).isFalse();
		}
		assertThat(TextForm.decimal().isCaseSensitive()).isFalse();
		assertThat(TextForm.decimal20().isCaseSensitive()).isFalse();
	}

	@Test
	void prefixAndCheckCharacterDoNotAffectCaseSensitivity() {
		for (TextForm form : List.of(this.base62, this.base32)) {
			TextForm decorated = new PrefixedText("Ab-",
					new CheckedText(form, new CheckCharacter(Alphabet.of("base32")), UnaryOperator.identity()));
			assertThat(decorated.isCaseSensitive()).isEqualTo(form == this.base62);
		}
	}

	@Test
	void stringsSortLikeNumbers() {
		for (TextForm form : List.of(this.base32, TextForm.decimal20(),
				TextForm.digits(Alphabet.of("0123456789abcdef"), 16))) {
			assertThat(form.isSorted()).isTrue();
			assertThat(countMisorderedPairs(form, Comparator.naturalOrder())).isZero();
			assertThat(countMisorderedPairs(form, Collator.getInstance(Locale.ROOT))).isZero();
		}
	}

	@Test
	void isSortedIsFalseForFormsThatDoNotSortLikeNumbers() {
		for (TextForm form : List.of(this.base62, TextForm.decimal(), TextForm.digits(Alphabet.of("base58"), 11))) {
			assertThat(form.isSorted()).isFalse();
			assertThat(countMisorderedPairs(form, Comparator.<String>naturalOrder())
					+ countMisorderedPairs(form, Collator.getInstance(Locale.ROOT)))
				.isPositive();
		}
	}

	private static long countMisorderedPairs(TextForm form, Comparator<? super String> order) {
		Random random = new Random(3);
		return IntStream.range(0, 10_000).filter((i) -> {
			long a = random.nextLong() >>> 1 >>> random.nextInt(62);
			long b = random.nextLong() >>> 1 >>> random.nextInt(62);
			return Integer.signum(order.compare(form.format(a), form.format(b))) != Long.compare(a, b);
		}).count();
	}

	@Test
	void stringsAboveTheHighestNumberAreRejected() {
		assertThat(this.base32.format(Long.MAX_VALUE)).isEqualTo("7ZZZZZZZZZZZZ");
		for (String text : List.of("8000000000000", "ZZZZZZZZZZZZZ", "G000000000000")) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.base32.parse(text))
				.withMessageContaining("higher than any");
		}
		assertThat(this.base62.format(Long.MAX_VALUE)).isEqualTo("aZl8N0y58M7");
		assertThatIllegalArgumentException().isThrownBy(() -> this.base62.parse("aZl8N0y58M8"))
			.withMessageContaining("higher than any");
		assertThatIllegalArgumentException().isThrownBy(() -> this.base62.parse("ZZZZZZZZZZZ"))
			.withMessageContaining("higher than any");
		assertThatIllegalArgumentException().isThrownBy(() -> TextForm.decimal20().parse("18446744073709551616"))
			.withMessageContaining("higher than any");
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', value = { "``, 20 characters", "1, 20 characters",
			"0000000000000123456a, 'a' at position 20", "000000000000001234561, 20 characters" })
	void twentyDigitFormExplainsWhyAStringIsInvalid(String text, String why) {
		assertThatIllegalArgumentException().isThrownBy(() -> TextForm.decimal20().parse(text))
			.withMessageContaining(why);
	}

	@Test
	void wrongLengthIsReported() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.base62.parse("abc"))
			.withMessageContaining("'abc' is not a key: it has length 3 but must have 11 characters");
		assertThatIllegalArgumentException().isThrownBy(() -> this.base62.parse(null)).withMessageContaining("null");
	}

}
