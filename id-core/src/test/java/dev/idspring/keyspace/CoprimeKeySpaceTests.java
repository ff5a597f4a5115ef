package dev.idspring.keyspace;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import dev.idspring.text.Alphabet;
import dev.idspring.text.AlphabetTests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link CoprimeKeySpace}.
 */
class CoprimeKeySpaceTests {

	private static final long BASE62_6 = 56_800_235_584L;

	private static final int PARSE_CASES = Integer.getInteger("test.ids.parse-cases", 5_000);

	private final KeySpace defaults = keySpace("base62", 6, 6, null, 0);

	@Test
	void formatsThePublishedStrings() {
		long[] numbers = LongStream.range(0, 8).map(this.defaults::key).toArray();
		assertThat(numbers).containsExactly(0L, 32251436801L, 7702638018L, 39954074819L, 15405276036L, 47656712837L,
				23107914054L, 55359350855L);
		assertThat(LongStream.of(numbers).mapToObj(this.defaults::format)).containsExactly("000000", "zcDK0x", "8phu14",
				"HBVe1B", "gOyY28", "Q1cI2F", "pdQs3c", "Yquc3J");
		assertThat(this.defaults.parse("zcDK0x")).isEqualTo(32251436801L);
		assertThat(this.defaults.ordinal(this.defaults.parse("Yquc3J"))).isEqualTo(7);
		assertThat(this.defaults.format(BASE62_6 - 1)).isEqualTo("ZZZZZZ");
	}

	@Test
	void describesTheDefaults() {
		assertThat(this.defaults.capacity()).isEqualTo(BASE62_6);
		assertThat(this.defaults.firstOrdinal()).isZero();
		assertThat(this.defaults.rangeEnd(0)).isEqualTo(BASE62_6);
		assertThat(this.defaults.rangeEnd(BASE62_6 - 1)).isEqualTo(BASE62_6);
		assertThat(this.defaults.definition()).isEqualTo("coprime length=6 multiplier=32251436801 offset=0 "
				+ "alphabet=0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
		assertThat(this.defaults.summary()).isEqualTo("coprime, base62, 6 characters");
	}

	@ParameterizedTest
	@CsvSource({ "base62,6,8,'coprime, base62, 6 to 8 characters'",
			"01,1,1,'coprime, custom alphabet of 2, 1 character'",
			"xyz,1,2,'coprime, custom alphabet of 3, 1 to 2 characters'" })
	void describesOtherAlphabetsAndLengths(String alphabet, int length, int maxLength, String summary) {
		assertThat(keySpace(alphabet, length, maxLength, null, 0).summary()).isEqualTo(summary);
	}

	@Test
	void definitionFitsTheStore() {
		String definition = keySpace(AlphabetTests.printableCharacters(), 9, 9, null, 94).definition();
		assertThat(definition).hasSizeLessThanOrEqualTo(500)
			.matches("[ -~]+")
			.endsWith(AlphabetTests.printableCharacters());
	}

	@Test
	void definitionDoesNotDependOnTheMaximumLength() {
		KeySpace longer = keySpace("base62", 6, 8, null, 0);
		assertThat(longer.definition()).isEqualTo(this.defaults.definition());
		assertThat(longer.capacity()).isEqualTo(BASE62_6 + BASE62_6 * 62 + BASE62_6 * 62 * 62);
		Random random = new Random(1);
		random.longs(1000, 0, BASE62_6).forEach((ordinal) -> {
			assertThat(longer.key(ordinal)).isEqualTo(this.defaults.key(ordinal));
			assertThat(longer.format(ordinal)).isEqualTo(this.defaults.format(ordinal));
		});
	}

	@Test
	void longerKeysHaveTheirOwnMultiplierAndTheSameOffset() {
		KeySpace keySpace = keySpace("base62", 6, 7, 5L, 61);
		assertThat(keySpace.key(0)).isEqualTo(61);
		assertThat(keySpace.key(1)).isEqualTo(66);
		assertThat(keySpace.format(keySpace.key(BASE62_6 - 1))).hasSize(6);
		assertThat(keySpace.key(BASE62_6)).isEqualTo(BASE62_6 + 61);
		assertThat(keySpace.format(keySpace.key(BASE62_6))).isEqualTo("000000Z");
		assertThat(keySpace.key(BASE62_6 + 1)).isEqualTo(BASE62_6 + 61 + CoprimeCycle.defaultMultiplier(BASE62_6 * 62));
		assertThat(keySpace.rangeEnd(BASE62_6 - 1)).isEqualTo(BASE62_6);
		assertThat(keySpace.rangeEnd(BASE62_6)).isEqualTo(BASE62_6 * 63);
	}

	@ParameterizedTest
	@CsvSource({ "01,1,12,,0", "01,1,1,,1", "01,3,9,5,7", "10,2,10,,3", "abc,1,8,,2", "abc,2,7,4,8", "0123456,1,5,,6",
			"base32,1,3,,31", "base36,1,3,7,0", "base58,1,3,,57", "base62,1,3,,61", "base62,2,3,3843,3843" })
	void eachKeyOfEachLengthOccursOnce(String alphabet, int length, int maxLength, @Nullable Long multiplier,
			long offset) {
		KeySpace keySpace = keySpace(alphabet, length, maxLength, multiplier, offset);
		int characters = Alphabet.of(alphabet).size();
		int capacity = (int) keySpace.capacity();
		assertThat(capacity)
			.isEqualTo(IntStream.rangeClosed(length, maxLength).map((each) -> (int) Math.pow(characters, each)).sum());
		long[] bulk = new long[capacity];
		keySpace.keys(0, bulk, 0, capacity);
		BitSet keys = new BitSet(capacity);
		Set<String> texts = new HashSet<>();
		int boundary = 0;
		int expectedLength = length - 1;
		for (int i = 0; i < capacity; i++) {
			if (i == boundary) {
				expectedLength++;
				boundary += (int) Math.pow(characters, expectedLength);
			}
			long key = keySpace.key(i);
			String text = keySpace.format(key);
			boolean correct = bulk[i] == key && keySpace.ordinal(key) == i && keySpace.parse(text) == key
					&& text.length() == expectedLength && keySpace.rangeEnd(i) == boundary && texts.add(text);
			assertThat(correct).as("ordinal %d, key %d (bulk %d), text %s", i, key, bulk[i], text).isTrue();
			keys.set((int) key);
		}
		assertThat(keys.cardinality()).isEqualTo(capacity);
		assertThat(keys.length()).isEqualTo(capacity);
	}

	@ParameterizedTest
	@CsvSource({ "base62,10,10", "base62,1,10", "base62,6,8", "01,62,62", "01,1,61", "0123,31,31", "base58,6,10",
			"base32,12,12", "base36,11,11" })
	void largeKeySpacesAreBijectiveAtRandomPlacesAndAtTheEnds(String alphabet, int length, int maxLength) {
		KeySpace keySpace = keySpace(alphabet, length, maxLength, null, 1);
		BigInteger capacity = IntStream.rangeClosed(length, maxLength)
			.mapToObj((each) -> BigInteger.valueOf(Alphabet.of(alphabet).size()).pow(each))
			.reduce(BigInteger.ZERO, BigInteger::add);
		assertThat(keySpace.capacity()).isEqualTo(capacity.longValueExact());
		long last = keySpace.capacity() - 1;
		Random random = new Random(42);
		LongStream.concat(LongStream.of(0, 1, last - 1, last), random.longs(5000, 0, last + 1)).forEach((number) -> {
			long key = keySpace.key(number);
			assertThat(key).isBetween(0L, last);
			assertThat(keySpace.ordinal(key)).isEqualTo(number);
			assertThat(keySpace.key(keySpace.ordinal(number))).isEqualTo(number);
			String text = keySpace.format(number);
			assertThat(text.length()).isBetween(length, maxLength);
			assertThat(keySpace.parse(text)).isEqualTo(number);
		});
	}

	@Test
	void bulkCallCanCrossBoundaries() {
		KeySpace keySpace = keySpace("abc", 1, 4, null, 1);
		int capacity = (int) keySpace.capacity();
		for (int first = 0; first <= capacity; first++) {
			for (int count = 0; count <= capacity - first; count++) {
				long[] expected = new long[count + 2];
				Arrays.setAll(expected, (i) -> -7);
				long[] into = expected.clone();
				for (int i = 0; i < count; i++) {
					expected[i + 1] = keySpace.key(first + i);
				}
				keySpace.keys(first, into, 1, count);
				assertThat(into).containsExactly(expected);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -1, BASE62_6, BASE62_6 + 1, Long.MAX_VALUE })
	void numbersOutOfRangeAreRejected(long number) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.key(number))
			.withMessageContaining("" + number)
			.withMessageContaining("an ordinal")
			.withMessageContaining("from 0 to 56800235583");
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.rangeEnd(number));
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.ordinal(number))
			.withMessageContaining("a key");
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.format(number))
			.withMessageContaining("" + number)
			.withMessageContaining("a key");
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.keys(number, new long[2], 0, 2));
	}

	@Test
	void bulkCallOutOfRangeIsRejected() {
		long[] into = new long[5];
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.keys(BASE62_6 - 1, into, 0, 2))
			.withMessageContaining("2 ordinals from 56800235583");
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.keys(0, into, 0, -1));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.defaults.keys(0, into, 4, 2));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.defaults.keys(0, into, -1, 2));
		this.defaults.keys(BASE62_6, into, 5, 0);
		assertThat(into).containsOnly(0);
	}

	@ParameterizedTest
	@CsvSource(ignoreLeadingAndTrailingWhitespace = false, quoteCharacter = '`',
			value = { "``,has length 0 but must have 6 characters",
					"zcDK0,'zcDK0' is not a key: it has length 5 but must have 6 characters", "zcDK0xx,it has length 7",
					" zcDK0,' zcDK0' is not a key: ' ' at position 1 is not in the alphabet base62",
					"zcDK0-,'-' at position 6", "+cDK0x,'+' at position 1",
					"zcDK0\u0000,'zcDK0<U+0000>' is not a key: U+0000", "\u0661cDK0x,U+0661 at position 1",
					"zcD\ud83d\ude00x,U+1F600 at position 4", "\ud83dcDK0x,U+D83D at position 1",
					"zcDK\u00e9x,U+00E9 at position 5", "`zcDK0\n`,U+000A at position 6" })
	void parseExplainsWhyAStringIsInvalid(String text, String why) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.parse(text))
			.withMessageContaining(why)
			.satisfies((ex) -> assertThat(ex.getMessage()).matches("[ -~]+"));
	}

	@Test
	void parseNamesTheAllowedLengths() {
		assertThatIllegalArgumentException().isThrownBy(() -> keySpace("base62", 6, 8, null, 0).parse("abc"))
			.withMessageContaining("must have 6 to 8 characters");
	}

	@Test
	@SuppressWarnings("NullAway")
	void parseRejectsNull() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.parse(null))
			.withMessageContaining("must have 6 characters");
	}

	@Test
	void parseOfAHugeStringFailsQuicklyWithAShortMessage() {
		String huge = "\u00e9".repeat(10_000_000);
		assertTimeoutPreemptively(Duration.ofSeconds(2),
				() -> assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.parse(huge))
					.withMessageContaining("length 10000000")
					.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(500)));
	}

	@Test
	void parseQuotesAtMostFortyCharacters() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.parse("x".repeat(41)))
			.withMessageContaining("'" + "x".repeat(40) + "...'");
		assertThatIllegalArgumentException().isThrownBy(() -> this.defaults.parse("x".repeat(40)))
			.withMessageContaining("'" + "x".repeat(40) + "'");
	}

	@ParameterizedTest
	@Tag("longer")
	@ValueSource(strings = { "base62", "base58", "base36", "base32", "01", "+-*/" })
	void parseRejectsStringsThatFormatDoesNotProduce(String alphabet) {
		KeySpace keySpace = keySpace(alphabet, 2, 5, null, 0);
		Random random = new Random(alphabet.hashCode());
		int accepted = 0;
		for (int i = 0; i < PARSE_CASES; i++) {
			String text = randomText(random, Alphabet.of(alphabet).characters());
			try {
				String canonical = keySpace.format(keySpace.parse(text));
				if (!canonical.equals("base32".equals(alphabet) ? withoutLookAlikes(text) : text)) {
					fail(text + " is " + canonical);
				}
				accepted++;
			}
			catch (IllegalArgumentException ex) {
				if (!isPrintable(ex.getMessage()) || isKey(text, alphabet, 2, 5)) {
					fail(text, ex);
				}
			}
		}
		assertThat(accepted).isBetween(PARSE_CASES / 10, PARSE_CASES * 9 / 10);
	}

	private static boolean isPrintable(String message) {
		return !message.isEmpty() && message.length() < 500
				&& message.chars().allMatch((character) -> character >= ' ' && character <= '~');
	}

	private static boolean isKey(String text, String alphabet, int length, int maxLength) {
		String characters = Alphabet.of(alphabet).characters() + ("base32".equals(alphabet) ? "ILO" : "");
		String candidate = "base32".equals(alphabet) ? withoutLookAlikes(text) : text;
		return text.length() >= length && text.length() <= maxLength
				&& candidate.chars().allMatch((character) -> characters.indexOf(character) >= 0);
	}

	private static String withoutLookAlikes(String text) {
		StringBuilder canonical = new StringBuilder();
		for (char character : text.toCharArray()) {
			char upper = (character >= 'a' && character <= 'z') ? (char) (character - 32) : character;
			canonical.append((upper == 'O') ? '0' : (upper == 'I' || upper == 'L') ? '1' : upper);
		}
		return canonical.toString();
	}

	private static String randomText(Random random, String characters) {
		int length = random.nextInt(8);
		int kind = random.nextInt(4);
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			boolean fromAlphabet = kind < 2 || kind == 2 && random.nextInt(6) > 0;
			text.append(fromAlphabet ? characters.charAt(random.nextInt(characters.length()))
					: (char) random.nextInt(random.nextBoolean() ? 128 : 65536));
		}
		return text.toString();
	}

	private static KeySpace keySpace(String alphabet, int length, int maxLength, @Nullable Long multiplier,
			long offset) {
		return new CoprimeSettings(Alphabet.of(alphabet), length, maxLength, multiplier, offset).resolve(null);
	}

}
