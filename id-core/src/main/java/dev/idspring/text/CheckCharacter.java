package dev.idspring.text;

/**
 * Computes a check character that detects typing errors. It uses the hybrid system MOD
 * N+1,N of ISO/IEC 7064, where N is the size of the alphabet. The check character detects
 * every single wrong character and nearly every swap of two adjacent characters.
 * <p>
 * The standard multiplies by 2 at each step, which requires an even N. For an odd N, this
 * class uses the multiplier up to 40 that misses the fewest swaps of adjacent characters.
 * If several multipliers are equally good, it uses the smallest.
 */
final class CheckCharacter {

	/**
	 * The multipliers for alphabets of 3, 5, 7, … 93 characters. A test verifies them.
	 */
	private static final int[] MULTIPLIERS = { 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39,
			11, 35, 15, 11, 33, 31, 17, 11, 19, 23, 37, 7, 17, 27, 23, 23, 21, 15, 11, 19, 27, 11, 17, 35, 29, 27, 31 };

	private final Alphabet alphabet;

	private final int multiplier;

	CheckCharacter(Alphabet alphabet) {
		this.alphabet = alphabet;
		this.multiplier = multiplier(alphabet.size());
	}

	static int multiplier(int size) {
		return (size % 2 == 0) ? 2 : MULTIPLIERS[size / 2 - 1];
	}

	/**
	 * Return the character to append to a string.
	 * @param text digits of the alphabet
	 * @return the check character, which is also a digit of the alphabet
	 */
	char compute(String text) {
		int size = this.alphabet.size();
		int state = size;
		for (int i = 0; i < text.length(); i++) {
			int sum = state + (int) this.alphabet.decode(text, i, i + 1);
			sum = (sum > size) ? sum - size : sum;
			state = this.multiplier * sum % (size + 1);
		}
		return this.alphabet.characters().charAt((size + 1 - state) % size);
	}

	/**
	 * Return a regular expression for one check character.
	 */
	String pattern() {
		return this.alphabet.pattern();
	}

	/**
	 * Return whether a character is the check character of a string. Any character that
	 * the alphabet reads as the same digit also matches.
	 */
	boolean matches(String text, char character) {
		return this.alphabet.digit(character) == this.alphabet.digit(compute(text));
	}

}
