package dev.idspring.text;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Digits of an alphabet: numbers of one length after the other, each padded with the
 * alphabet's zero.
 * <p>
 * The numbers of a length begin where those of the shorter lengths end. So two texts
 * differ either in length, or in their digits.
 */
final class Digits implements TextForm {

	private final Alphabet alphabet;

	private final Length[] lengths;

	/** The number of characters of the first numbers, which begin with 0. */
	private final int firstLength;

	/** The last of these numbers that has 63 bits. */
	private final long firstEnd;

	/**
	 * Create a form.
	 * @param length the number of characters of the first numbers
	 * @param maxLength the number of characters of the last ones
	 * @param bits the number of bits of a number, 63 or 64
	 */
	Digits(Alphabet alphabet, int length, int maxLength, int bits) {
		this.alphabet = alphabet;
		BigInteger all = BigInteger.ONE.shiftLeft(bits);
		List<Length> lengths = new ArrayList<>();
		BigInteger start = BigInteger.ZERO;
		for (int i = length; i <= maxLength && start.compareTo(all) < 0; i++) {
			BigInteger end = start.add(BigInteger.valueOf(alphabet.size()).pow(i));
			lengths.add(new Length(i, start.longValue(), end.min(all).subtract(BigInteger.ONE).longValue()));
			start = end;
		}
		this.lengths = lengths.toArray(Length[]::new);
		Length first = this.lengths[0];
		this.firstLength = first.characters;
		this.firstEnd = (first.last >= 0) ? first.last : Long.MAX_VALUE;
	}

	Alphabet alphabet() {
		return this.alphabet;
	}

	List<Length> lengths() {
		return List.of(this.lengths);
	}

	@Override
	public String format(long number) {
		return (number >= 0 && number <= this.firstEnd) ? this.alphabet.encode(number, this.firstLength)
				: formatLarge(number);
	}

	/** Separate, because the compiler inlines only short and frequent methods. */
	private String formatLarge(long number) {
		Length length = this.lengths[index(number)];
		long offset = number - length.start;
		if (offset < 0) {
			long size = this.alphabet.size();
			return this.alphabet.encode(Long.divideUnsigned(offset, size), length.characters - 1)
					+ this.alphabet.encode(Long.remainderUnsigned(offset, size), 1);
		}
		return this.alphabet.encode(offset, length.characters);
	}

	/**
	 * Return the position of the length of a number.
	 * @throws IllegalArgumentException if the number is too large
	 */
	int index(long number) {
		for (int i = 0; i < this.lengths.length; i++) {
			if (Long.compareUnsigned(number, this.lengths[i].last) <= 0) {
				return i;
			}
		}
		throw new IllegalArgumentException(Long.toUnsignedString(number) + " does not fit " + describe());
	}

	@Override
	public long parse(String text) {
		Length length = this.lengths[indexOf(text)];
		long offset = this.alphabet.decode(text);
		if (Long.compareUnsigned(offset, length.last - length.start) > 0) {
			throw TextForm.invalid(text, Alphabet.TOO_HIGH);
		}
		return length.start + offset;
	}

	/**
	 * Return the position of the length of a text.
	 * @throws IllegalArgumentException if there is no such length
	 */
	int indexOf(String text) {
		int index = (text != null) ? text.length() - this.lengths[0].characters : -1;
		if (index < 0 || index >= this.lengths.length) {
			throw TextForm.invalid(text,
					((text != null) ? "it has length " + text.length() + " and" : "it") + " must have " + describe());
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
	 * The numbers of one length.
	 *
	 * @param characters the number of characters
	 * @param start the first number
	 * @param last the last number, as an unsigned one
	 */
	record Length(int characters, long start, long last) {

	}

}
