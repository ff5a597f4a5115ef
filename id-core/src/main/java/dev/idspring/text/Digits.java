package dev.idspring.text;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes numbers in the digits of an alphabet. The strings may have several lengths. The
 * smallest numbers have the shortest strings. When all strings of one length are used up,
 * the next number has a string that is one character longer. Within a length, strings are
 * padded with the alphabet's zero.
 * <p>
 * No two numbers have the same string: their strings differ either in length or in their
 * digits.
 */
final class Digits implements TextForm {

	private final Alphabet alphabet;

	private final Length[] lengths;

	/** The number of characters of the shortest strings. */
	private final int firstLength;

	/**
	 * The last number whose string has the shortest length, at most
	 * {@link Long#MAX_VALUE}.
	 */
	private final long lastShortNumber;

	/**
	 * Create a text form.
	 * @param length the number of characters of the shortest strings
	 * @param maxLength the maximum number of characters of a string
	 * @param bits the number of bits of the highest number, 63 or 64
	 */
	Digits(Alphabet alphabet, int length, int maxLength, int bits) {
		this.alphabet = alphabet;
		BigInteger numberCount = BigInteger.ONE.shiftLeft(bits);
		List<Length> lengths = new ArrayList<>();
		BigInteger start = BigInteger.ZERO;
		for (int i = length; i <= maxLength && start.compareTo(numberCount) < 0; i++) {
			BigInteger end = start.add(BigInteger.valueOf(alphabet.size()).pow(i));
			lengths.add(new Length(i, start.longValue(), end.min(numberCount).subtract(BigInteger.ONE).longValue()));
			start = end;
		}
		this.lengths = lengths.toArray(Length[]::new);
		Length first = this.lengths[0];
		this.firstLength = first.characters;
		this.lastShortNumber = (first.last >= 0) ? first.last : Long.MAX_VALUE;
	}

	Alphabet alphabet() {
		return this.alphabet;
	}

	List<Length> lengths() {
		return List.of(this.lengths);
	}

	@Override
	public String format(long number) {
		return (number >= 0 && number <= this.lastShortNumber) ? this.alphabet.encode(number, this.firstLength)
				: formatLarge(number);
	}

	/**
	 * This is a separate method so that {@link #format} is small enough to be inlined.
	 */
	private String formatLarge(long number) {
		Length length = this.lengths[lengthIndex(number)];
		long offset = number - length.start;
		if (offset < 0) {
			// encode does not accept negative numbers
			long size = this.alphabet.size();
			return this.alphabet.encode(Long.divideUnsigned(offset, size), length.characters - 1)
					+ this.alphabet.encode(Long.remainderUnsigned(offset, size), 1);
		}
		return this.alphabet.encode(offset, length.characters);
	}

	/**
	 * Return the index of the entry in {@code lengths} that contains a number.
	 * @throws IllegalArgumentException if the number is too large
	 */
	int lengthIndex(long number) {
		for (int i = 0; i < this.lengths.length; i++) {
			if (Long.compareUnsigned(number, this.lengths[i].last) <= 0) {
				return i;
			}
		}
		throw new IllegalArgumentException(Long.toUnsignedString(number) + " does not fit into " + describe());
	}

	@Override
	public long parse(String text) {
		Length length = this.lengths[lengthIndex(text)];
		long offset = this.alphabet.decode(text);
		if (Long.compareUnsigned(offset, length.last - length.start) > 0) {
			throw TextForm.invalid(text, Alphabet.TOO_HIGH);
		}
		return length.start + offset;
	}

	/**
	 * Return the index of the entry in {@code lengths} for the length of a string.
	 * @throws IllegalArgumentException if no string of this form has that length
	 */
	int lengthIndex(String text) {
		int index = (text != null) ? text.length() - this.lengths[0].characters : -1;
		if (index < 0 || index >= this.lengths.length) {
			throw TextForm.invalid(text,
					((text != null) ? "it has length " + text.length() + " but" : "it") + " must have " + describe());
		}
		return index;
	}

	private String describe() {
		int first = this.lengths[0].characters;
		int last = this.lengths[this.lengths.length - 1].characters;
		return ((first < last) ? first + " to " + last : first) + ((last > 1) ? " characters" : " character");
	}

	@Override
	public String pattern() {
		int first = this.lengths[0].characters;
		int last = this.lengths[this.lengths.length - 1].characters;
		return this.alphabet.pattern() + "{" + ((first < last) ? first + "," + last : first) + "}";
	}

	@Override
	public boolean isSorted() {
		return this.lengths.length == 1 && this.alphabet.isSorted();
	}

	@Override
	public boolean isCaseSensitive() {
		return this.alphabet.isCaseSensitive();
	}

	/**
	 * The range of numbers whose strings have the same length.
	 *
	 * @param characters the number of characters
	 * @param start the first number, as an unsigned {@code long}
	 * @param last the last number, as an unsigned {@code long}
	 */
	record Length(int characters, long start, long last) {

	}

}
