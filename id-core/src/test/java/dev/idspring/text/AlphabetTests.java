package dev.idspring.text;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Alphabet}.
 */
public class AlphabetTests {

	@ParameterizedTest
	@CsvSource({ "base62,0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
			"base58,123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
			"base36,0123456789abcdefghijklmnopqrstuvwxyz", "base32,0123456789ABCDEFGHJKMNPQRSTVWXYZ" })
	void resolvesTheNamesOfKnownAlphabets(String name, String characters) {
		Alphabet alphabet = Alphabet.of(name);
		assertThat(alphabet.name()).isEqualTo(name);
		assertThat(alphabet.characters()).isEqualTo(characters);
		assertThat(alphabet.size()).isEqualTo(Integer.parseInt(name.substring(4)));
		assertThat(alphabet).hasToString(name);
		assertThat(Alphabet.of(characters)).isSameAs(alphabet);
	}

	@ParameterizedTest
	@ValueSource(strings = { "BASE32", "Base32", "bAsE32", "base-32", "BASE_32" })
	void nameIgnoresCaseAndSeparators(String name) {
		assertThat(Alphabet.of(name)).isSameAs(Alphabet.of("base32"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "base64", "BASE64", "base-64", "base_16", "base10", "base6", "base062", "base0123456789" })
	void unknownNameIsRejected(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> Alphabet.of(name))
			.withMessageContaining("'" + name + "'")
			.withMessageContaining("base62, base58, base36, base32");
	}

	@ParameterizedTest
	@ValueSource(strings = { "01", "zyx", "base", "64base", "!~" })
	void acceptsCustomCharacters(String characters) {
		Alphabet alphabet = Alphabet.of(characters);
		assertThat(alphabet.name()).isNull();
		assertThat(alphabet.characters()).isEqualTo(characters);
		assertThat(alphabet.size()).isEqualTo(characters.length());
		assertThat(alphabet).isEqualTo(Alphabet.of(characters)).hasSameHashCodeAs(Alphabet.of(characters));
		assertThat(alphabet).isNotEqualTo(Alphabet.of("10"));
	}

	@Test
	void acceptsAllPrintableCharacters() {
		assertThat(Alphabet.of(printableCharacters()).size()).isEqualTo(94);
	}

	@ParameterizedTest
	@CsvSource(ignoreLeadingAndTrailingWhitespace = false, quoteCharacter = '`',
			value = { "``,has length 0", "0,has length 1", "0 1,' ' at position 2", "010,'0' twice",
					"01\u007f,U+007F at position 3", "01\u0000,U+0000 at position 3", "`\n0`,U+000A at position 1",
					"ab\u00e9,U+00E9 at position 3", "ab\ud83d\ude00,U+1F600 at position 3",
					"ba\u017fe62,U+017F at position 3", " base62,' ' at position 1" })
	void unusableCharactersAreRejected(String characters, String why) {
		assertThatIllegalArgumentException().isThrownBy(() -> Alphabet.of(characters))
			.withMessageContaining(why)
			.withMessageContaining("base62, base58, base36, base32, or 2 to 94 distinct printable ASCII")
			.satisfies((ex) -> assertThat(ex.getMessage()).matches("[ -~]+"));
	}

	@Test
	void tooManyCharactersAreRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Alphabet.of(printableCharacters() + printableCharacters()))
			.withMessageContaining("has length 188")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(printableCharacters()));
	}

	@Test
	@SuppressWarnings("NullAway")
	void rejectsNull() {
		assertThatIllegalArgumentException().isThrownBy(() -> Alphabet.of(null)).withMessageContaining("base62");
	}

	@Test
	void encodesAndDecodesEveryValueOfEachShortLength() {
		for (String name : new String[] { "base62", "base58", "base36", "base32", "01", "zyx",
				printableCharacters() }) {
			Alphabet alphabet = Alphabet.of(name);
			long size = 1;
			for (int length = 1; size * alphabet.size() < 250_000; length++) {
				size *= alphabet.size();
				for (long value = 0; value < size; value++) {
					String text = alphabet.encode(value, length);
					if (!text.equals(digitByDigit(alphabet, value, length)) || alphabet.decode(text) != value) {
						assertThat(text).isEqualTo(digitByDigit(alphabet, value, length));
						assertThat(alphabet.decode(text)).isEqualTo(value);
					}
				}
			}
		}
	}

	@Test
	void encodesAndDecodesRandomNumbersOfEveryLength() {
		Random random = new Random(11);
		for (String name : new String[] { "base62", "base58", "base36", "base32", "01", "zyx",
				printableCharacters() }) {
			Alphabet alphabet = Alphabet.of(name);
			BigInteger size = BigInteger.valueOf(alphabet.size());
			for (int length = 1; length <= 64; length++) {
				long last = size.pow(length)
					.subtract(BigInteger.ONE)
					.min(BigInteger.valueOf(Long.MAX_VALUE))
					.longValue();
				for (int i = 0; i < 300; i++) {
					long multiple = random.nextLong(last / 2 + 1) / alphabet.size() / alphabet.size() * alphabet.size()
							* alphabet.size();
					for (long value : new long[] { multiple, Math.max(0, multiple - 1), last - multiple }) {
						String text = alphabet.encode(value, length);
						if (!text.equals(digitByDigit(alphabet, value, length)) || alphabet.decode(text) != value) {
							assertThat(text).isEqualTo(digitByDigit(alphabet, value, length));
							assertThat(alphabet.decode(text)).isEqualTo(value);
						}
					}
				}
			}
		}
	}

	private static String digitByDigit(Alphabet alphabet, long value, int length) {
		StringBuilder text = new StringBuilder();
		for (long rest = value; text.length() < length; rest /= alphabet.size()) {
			text.append(alphabet.characters().charAt((int) (rest % alphabet.size())));
		}
		return text.reverse().toString();
	}

	@Test
	void base32ReadsLowerCaseAndLookAlikes() {
		Alphabet base32 = Alphabet.of("base32");
		assertThat(base32.decode("oOiIlL")).isEqualTo(base32.decode("001111"));
		assertThat(base32.decode("abcdefghjkmnpqrstvwxyz".substring(0, 11))).isEqualTo(base32.decode("ABCDEFGHJKM"));
		assertThat(base32.decode("npqrstvwxyz")).isEqualTo(base32.decode("NPQRSTVWXYZ"));
		assertThatIllegalArgumentException().isThrownBy(() -> base32.decode("U"));
		assertThatIllegalArgumentException().isThrownBy(() -> base32.decode("u"));
		assertThat(Alphabet.of("0123456789ABCDEFGHJKMNPQRSTVWXYZ").decode("l")).isEqualTo(1);
	}

	/**
	 * In Turkish, {@code I} and {@code i} are not the same letter.
	 */
	@Test
	void lookAlikesDoNotDependOnTheLocale() {
		Locale before = Locale.getDefault();
		try {
			Locale.setDefault(Locale.forLanguageTag("tr"));
			assertThat(Alphabet.of("base32").decode("iI")).isEqualTo(33);
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void otherAlphabetsDoNotReadLookAlikes() {
		assertThatIllegalArgumentException().isThrownBy(() -> Alphabet.of("base36").decode("A"));
		for (String lookAlike : new String[] { "0", "O", "I", "l" }) {
			assertThatIllegalArgumentException().isThrownBy(() -> Alphabet.of("base58").decode(lookAlike));
		}
		assertThat(Alphabet.of("base62").decode("O")).isEqualTo(50);
	}

	public static String printableCharacters() {
		StringBuilder characters = new StringBuilder();
		for (char character = 0x21; character <= 0x7E; character++) {
			characters.append(character);
		}
		return characters.toString();
	}

}
