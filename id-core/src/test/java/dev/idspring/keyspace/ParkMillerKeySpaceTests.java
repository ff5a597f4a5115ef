package dev.idspring.keyspace;

import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link KeySpaceSettings#parkMiller()}.
 */
class ParkMillerKeySpaceTests {

	private final KeySpace keySpace = KeySpaceSettings.parkMiller().resolve(null);

	@ParameterizedTest
	@CsvSource({ "1,16807", "2,33614", "3,50421", "4,67228", "5,84035", "127773,2147480811", "1407677000,1",
			"2147483646,2147466840" })
	void computesThePublishedKeys(long seed, long key) {
		long ordinal = seed - this.keySpace.firstOrdinal();
		assertThat(this.keySpace.key(ordinal)).isEqualTo(key);
		assertThat(this.keySpace.ordinal(key)).isEqualTo(ordinal);
		assertThat(this.keySpace.format(key)).isEqualTo(Long.toString(key));
		assertThat(this.keySpace.parse(Long.toString(key))).isEqualTo(key);
	}

	@Test
	void seedsThatCollideWithAMistypedModulusHaveDifferentKeys() {
		assertThat(this.keySpace.key(126_213 - 1)).isNotEqualTo(this.keySpace.key(1_181_389_158 - 1));
	}

	@Test
	void describesTheKeySpace() {
		assertThat(this.keySpace.capacity()).isEqualTo(2_147_483_646L);
		assertThat(this.keySpace.firstOrdinal()).isOne();
		assertThat(this.keySpace.definition()).isEqualTo("park-miller modulus=2147483647 multiplier=16807");
		assertThat(this.keySpace.summary()).isEqualTo("park-miller");
		assertThat(this.keySpace.rangeEnd(0)).isEqualTo(2_147_483_646L);
		assertThat(this.keySpace.rangeEnd(2_147_483_645L)).isEqualTo(2_147_483_646L);
		assertThat(KeySpaceSettings.parkMiller().resolve("anything").definition())
			.isEqualTo(this.keySpace.definition());
	}

	@Test
	void agreesWithTheParkMillerGenerator() {
		Random random = new Random(7);
		LongStream.concat(LongStream.of(0, 2_147_483_645L), random.longs(20_000, 0, 2_147_483_646L))
			.forEach((ordinal) -> {
				long key = this.keySpace.key(ordinal);
				assertThat(key).isEqualTo(16807 * (ordinal + 1) % 2_147_483_647L);
				assertThat(this.keySpace.ordinal(key)).isEqualTo(ordinal);
				assertThat(this.keySpace.parse(this.keySpace.format(key))).isEqualTo(key);
			});
	}

	@Test
	void consecutiveKeysAreDistinct() {
		assertThat(LongStream.range(0, 300_000).map(this.keySpace::key).distinct().count()).isEqualTo(300_000);
	}

	@Test
	void bulkCallsReturnTheKeysOfSingleCalls() {
		for (long first : new long[] { 0, 1, 127_000, 2_147_483_646L - 2000 }) {
			long[] bulk = new long[2000];
			this.keySpace.keys(first, bulk, 0, 2000);
			assertThat(bulk).containsExactly(LongStream.range(first, first + 2000).map(this.keySpace::key).toArray());
		}
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.keys(2_147_483_645L, new long[2], 0, 2));
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.keys(0, new long[2], 0, -1));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.keySpace.keys(0, new long[2], 1, 2));
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -1, 2_147_483_646L, 2_147_483_647L, Long.MAX_VALUE })
	void ordinalsOutOfRangeAreRejected(long ordinal) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.key(ordinal))
			.withMessageContaining("" + ordinal);
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.rangeEnd(ordinal));
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.keys(ordinal, new long[1], 0, 1));
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -1, 0, 2_147_483_647L, Long.MAX_VALUE })
	void numbersOutOfRangeAreRejected(long number) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.ordinal(number))
			.withMessageContaining(number + " is not a key");
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.format(number))
			.withMessageContaining("from 1 to 2147483646");
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.parse("" + number));
	}

	@ParameterizedTest
	@CsvSource(ignoreLeadingAndTrailingWhitespace = false, quoteCharacter = '`',
			value = { "``,has length 0", "12345678901,has length 11", "016807,must not begin with 0",
					"+16807,'+' at position 1", "-1,'-' at position 1", "1e3,'e' at position 2",
					" 16807,' ' at position 1", "`16807\n`,U+000A at position 6", "\u0661,U+0661 at position 1",
					"\uff11,U+FF11 at position 1", "0,must be from 1", "9999999999,9999999999 is not a key" })
	void parseExplainsWhyAStringIsInvalid(String text, String why) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.parse(text))
			.withMessageContaining(why)
			.satisfies((ex) -> assertThat(ex.getMessage()).matches("[ -~]+"));
	}

	@Test
	@SuppressWarnings("NullAway")
	void parseRejectsNull() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keySpace.parse(null))
			.withMessageContaining("1 to 10 digits");
	}

	@Test
	void parseRejectsStringsThatFormatDoesNotProduce() {
		Random random = new Random(3);
		for (int i = 0; i < 100_000; i++) {
			String text = randomText(random);
			try {
				assertThat(this.keySpace.format(this.keySpace.parse(text))).isEqualTo(text);
			}
			catch (IllegalArgumentException ex) {
				assertThat(text).doesNotMatch("[1-9][0-9]{0,8}");
				assertThat(ex.getMessage()).matches("[ -~]+");
			}
		}
	}

	private static String randomText(Random random) {
		StringBuilder text = new StringBuilder();
		int length = random.nextInt(13);
		for (int i = 0; i < length; i++) {
			text.append((random.nextInt(20) > 0) ? (char) ('0' + random.nextInt(10)) : (char) random.nextInt(65536));
		}
		return text.toString();
	}

}
