package dev.idspring.text;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.text.Digits.Length;

/**
 * Permutes the numbers whose strings have the same length, under one or more secrets.
 * <p>
 * The i-th secret applies to the numbers from R(i) (inclusive) to R(i + 1) (exclusive).
 * Let W(i) be the function that encrypts a number under the i-th secret repeatedly, until
 * the result is at least R(i). A number of the j-th secret is mapped to W(0)(W(1)(…
 * W(j)(number))).
 * <p>
 * Two numbers never get the same text:
 * <ol>
 * <li>W(i) is a permutation of the numbers that are at least R(i). The repetition (cycle
 * walking) turns a permutation of all numbers into a permutation of a subset.</li>
 * <li>The results of W(i + 1) are at least R(i + 1), so they differ from all numbers of
 * the i-th secret. W(i) keeps them different, because W(i) is a permutation.</li>
 * <li>Each length can be permuted separately, because strings of different lengths always
 * differ. For each length, the secrets are counted from the one that applies to the first
 * number of that length, and R(0) is that first number. So W(0) permutes all numbers of
 * the length.</li>
 * </ol>
 */
final class SecretPermutation {

	private final Length length;

	private final List<Long> firstNumbers;

	private final SecretRange[] ranges;

	/** The number of possible values of the right half of the digits. */
	private final long rightSize;

	/**
	 * Create a permutation.
	 * @param radix the number of distinct digits
	 * @param length the range of numbers to permute
	 * @param ciphers one cipher pool per secret, in the order of {@code firstNumbers}
	 * @param firstNumbers the first number to which each secret applies, 0 for the first
	 * secret
	 * @param tweak a value that differs between key spaces
	 */
	SecretPermutation(int radix, Length length, List<AesPool> ciphers, List<Long> firstNumbers, byte[] tweak) {
		this.length = length;
		this.firstNumbers = firstNumbers;
		List<SecretRange> ranges = new ArrayList<>();
		for (int i = 0; i < ciphers.size(); i++) {
			boolean startsBeforeNext = i + 1 == ciphers.size()
					|| Long.compareUnsigned(length.start(), firstNumbers.get(i + 1)) < 0;
			if (startsBeforeNext && Long.compareUnsigned(firstNumbers.get(i), length.last()) <= 0) {
				Ff1 ff1 = new Ff1(ciphers.get(i), radix, length.characters(), tweak);
				long from = (ranges.isEmpty()) ? 0 : firstNumbers.get(i) - length.start();
				ranges.add(new SecretRange(ff1, from, Long.divideUnsigned(from, ff1.rightSize()),
						Long.remainderUnsigned(from, ff1.rightSize())));
			}
		}
		this.ranges = ranges.toArray(SecretRange[]::new);
		this.rightSize = this.ranges[0].ff1.rightSize();
	}

	Length length() {
		return this.length;
	}

	/**
	 * Return the index of the secret that applies to a number.
	 */
	int secretIndex(long number) {
		int index = this.firstNumbers.size() - 1;
		while (Long.compareUnsigned(number, this.firstNumbers.get(index)) < 0) {
			index--;
		}
		return index;
	}

	/**
	 * Permute a number.
	 * @return the values of the left and the right half of the permuted digits
	 */
	long[] permute(long number) {
		long offset = number - this.length.start();
		int index = this.ranges.length - 1;
		while (Long.compareUnsigned(offset, this.ranges[index].from) < 0) {
			index--;
		}
		long[] halves = { Long.divideUnsigned(offset, this.rightSize), Long.remainderUnsigned(offset, this.rightSize) };
		for (; index >= 0; index--) {
			this.ranges[index].permute(halves);
		}
		return halves;
	}

	/**
	 * Reverse the permutation.
	 * @param halves the values of the left and the right half of the permuted digits;
	 * this method replaces them with the halves of the number
	 * @return the number, valid only if {@link #hasNumber} returns {@code true} for its
	 * halves
	 */
	long invert(long[] halves) {
		for (int index = 0; index < this.ranges.length; index++) {
			this.ranges[index].invert(halves);
			if (index + 1 < this.ranges.length && this.ranges[index + 1].isBelowStart(halves)) {
				break;
			}
		}
		return this.length.start() + halves[0] * this.rightSize + halves[1];
	}

	/**
	 * Return whether two halves represent a number. Some strings of the length represent
	 * a value above its last number.
	 */
	boolean hasNumber(long[] halves) {
		long last = this.length.last() - this.length.start();
		return Long.compareUnsigned(halves[1], last) <= 0
				&& Long.compareUnsigned(halves[0], Long.divideUnsigned(last - halves[1], this.rightSize)) <= 0;
	}

	/**
	 * Permutes, under one secret, the first number of that secret and all higher numbers.
	 *
	 * @param ff1 the permutation of all numbers of the length
	 * @param from the first number to permute, as an offset from the first number of the
	 * length
	 * @param left the left half of {@code from}
	 * @param right the right half of {@code from}
	 */
	private record SecretRange(Ff1 ff1, long from, long left, long right) {

		void permute(long[] halves) {
			do {
				this.ff1.encrypt(halves);
			}
			while (isBelowStart(halves));
		}

		void invert(long[] halves) {
			do {
				this.ff1.decrypt(halves);
			}
			while (isBelowStart(halves));
		}

		boolean isBelowStart(long[] halves) {
			return halves[0] < this.left || (halves[0] == this.left && halves[1] < this.right);
		}

	}

}
