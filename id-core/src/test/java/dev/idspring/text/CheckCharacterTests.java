package dev.idspring.text;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link CheckCharacter}.
 */
class CheckCharacterTests {

	private static final String CHARACTERS = IntStream.rangeClosed('!', '~')
		.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
		.toString();

	/**
	 * Examples of MOD 11,10 and MOD 37,36 in ISO/IEC 7064.
	 */
	@ParameterizedTest
	@CsvSource({ "0123456789, 0794, 5", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ, A12425GABC1234002, M" })
	void computesThePublishedExamples(String alphabet, String text, char expected) {
		CheckCharacter check = new CheckCharacter(Alphabet.of(alphabet));
		assertThat(check.compute(text)).isEqualTo(expected);
		assertThat(check.matches(text, expected)).isTrue();
	}

	/**
	 * Texts of two digits suffice, because the first digit can bring the computation into
	 * every state.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 10, 32, 57, 58, 59, 61, 62, 94 })
	void eachWrongCharacterIsDetected(int size) {
		Alphabet alphabet = alphabet(size);
		CheckCharacter check = new CheckCharacter(alphabet);
		for (int state = 0; state < size; state++) {
			boolean[] seen = new boolean[128];
			for (int digit = 0; digit < size; digit++) {
				String text = "" + alphabet.characters().charAt(state) + alphabet.characters().charAt(digit);
				char character = check.compute(text);
				assertThat(seen[character]).as(text).isFalse();
				seen[character] = true;
			}
		}
	}

	/**
	 * The percentages refer to all pairs of different characters, in each state in which
	 * a pair may occur.
	 */
	@ParameterizedTest
	@CsvSource({ "10, 2.2", "32, 0.20", "36, 0.16", "57, 0.63", "58, 0.06", "62, 0.05" })
	void fewSwapsOfAdjacentCharactersAreMissed(int size, double percent) {
		double pairs = size * (size * (size - 1) / 2.0);
		assertThat(100 * missedSwaps(alphabet(size)) / pairs).isCloseTo(percent, within(percent / 20 + 0.005));
	}

	/**
	 * The first of three digits brings the computation into every state.
	 */
	private static long missedSwaps(Alphabet alphabet) {
		CheckCharacter check = new CheckCharacter(alphabet);
		char[] digits = alphabet.characters().toCharArray();
		long missedSwaps = 0;
		for (char first : digits) {
			for (int a = 0; a < digits.length; a++) {
				for (int b = a + 1; b < digits.length; b++) {
					String text = "" + first + digits[a] + digits[b];
					String swapped = "" + first + digits[b] + digits[a];
					missedSwaps += check.matches(swapped, check.compute(text)) ? 1 : 0;
				}
			}
		}
		return missedSwaps;
	}

	@Test
	void multiplierMissesTheFewestSwaps() {
		for (int size = 3; size <= 93; size += 2) {
			int best = 0;
			long fewest = Long.MAX_VALUE;
			for (int multiplier = 2; multiplier <= Math.min(size, 40); multiplier++) {
				long missedSwaps = (gcd(multiplier, size + 1) == 1) ? missedSwaps(size, multiplier) : Long.MAX_VALUE;
				if (missedSwaps < fewest) {
					best = multiplier;
					fewest = missedSwaps;
				}
			}
			assertThat(CheckCharacter.multiplier(size)).as("%d characters", size).isEqualTo(best);
		}
	}

	private static int gcd(int a, int b) {
		return (b == 0) ? a : gcd(b, a % b);
	}

	private static long missedSwaps(int size, int multiplier) {
		long missedSwaps = 0;
		for (int state = 1; state <= size; state++) {
			for (int a = 0; a < size; a++) {
				int afterA = nextState(state, a, size, multiplier);
				for (int b = a + 1; b < size; b++) {
					int afterB = nextState(state, b, size, multiplier);
					missedSwaps += (nextState(afterA, b, size, multiplier) == nextState(afterB, a, size, multiplier))
							? 1 : 0;
				}
			}
		}
		return missedSwaps;
	}

	private static int nextState(int state, int digit, int size, int multiplier) {
		int sum = state + digit;
		return multiplier * ((sum > size) ? sum - size : sum) % (size + 1);
	}

	private static Alphabet alphabet(int size) {
		return Alphabet.of(CHARACTERS.substring(0, size));
	}

}
