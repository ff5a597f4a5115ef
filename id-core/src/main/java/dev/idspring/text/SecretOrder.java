package dev.idspring.text;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.text.Digits.Length;

/**
 * The order in which secrets arrange the numbers of one length.
 * <p>
 * Secrets follow one another: the i-th applies to numbers from its beginning R(i) to that
 * of the next. Let W(i) permute the numbers of a length at or above R(i): it encrypts
 * under the i-th secret until the result is at least R(i). A number of the j-th secret
 * becomes W(0)(W(1)(… W(j)(number))).
 * <p>
 * Two numbers never get the same text, because:
 * <ol>
 * <li>W(i) is a permutation of the numbers at or above R(i): cycle walking, which
 * encrypts until the result is back in a set, permutes that set.</li>
 * <li>The results of W(i + 1) are at least R(i + 1). So W(i) never maps one of them to
 * the same value as a number before R(i + 1).</li>
 * <li>Texts of different lengths differ. A secret that begins before a length applies to
 * all of it. A secret that begins after a length does not apply to it.</li>
 * </ol>
 */
final class SecretOrder {

	private final Length length;

	private final List<Long> beginnings;

	private final SecretRange[] ranges;

	/** The count of numbers of the right half of the digits. */
	private final long right;

	/**
	 * Create an order.
	 * @param radix the number of digits
	 * @param length the numbers to permute
	 * @param keys encrypt under the secrets, in the order of their beginnings
	 * @param beginnings the first number of each secret, 0 for the first secret
	 * @param tweak distinguishes key spaces
	 */
	SecretOrder(int radix, Length length, List<AesPool> keys, List<Long> beginnings, byte[] tweak) {
		this.length = length;
		this.beginnings = beginnings;
		List<SecretRange> ranges = new ArrayList<>();
		for (int i = 0; i < keys.size(); i++) {
			boolean beforeTheNext = i + 1 == keys.size()
					|| Long.compareUnsigned(length.start(), beginnings.get(i + 1)) < 0;
			if (beforeTheNext && Long.compareUnsigned(beginnings.get(i), length.last()) <= 0) {
				Ff1 ff1 = new Ff1(keys.get(i), radix, length.characters(), tweak);
				long from = (ranges.isEmpty()) ? 0 : beginnings.get(i) - length.start();
				ranges.add(new SecretRange(ff1, from, Long.divideUnsigned(from, ff1.right()),
						Long.remainderUnsigned(from, ff1.right())));
			}
		}
		this.ranges = ranges.toArray(SecretRange[]::new);
		this.right = this.ranges[0].ff1.right();
	}

	Length length() {
		return this.length;
	}

	/**
	 * Return the position of the secret of a number.
	 */
	int secretIndex(long number) {
		int index = this.beginnings.size() - 1;
		while (Long.compareUnsigned(number, this.beginnings.get(index)) < 0) {
			index--;
		}
		return index;
	}

	/**
	 * Permute a number.
	 * @return the left and the right half of the digits of the result
	 */
	long[] permute(long number) {
		long offset = number - this.length.start();
		int index = this.ranges.length - 1;
		while (Long.compareUnsigned(offset, this.ranges[index].from) < 0) {
			index--;
		}
		long[] halves = { Long.divideUnsigned(offset, this.right), Long.remainderUnsigned(offset, this.right) };
		for (; index >= 0; index--) {
			this.ranges[index].permute(halves);
		}
		return halves;
	}

	/**
	 * Undo the permutation of digits.
	 * @param halves the left and the right half, replaced by those of the number
	 * @return the number, if {@link #hasNumber} says that there is one
	 */
	long invert(long[] halves) {
		for (int index = 0; index < this.ranges.length; index++) {
			this.ranges[index].invert(halves);
			if (index + 1 < this.ranges.length && this.ranges[index + 1].isBelowStart(halves)) {
				break;
			}
		}
		return this.length.start() + halves[0] * this.right + halves[1];
	}

	/**
	 * Return whether digits are those of a number: some digits exceed 64 bits.
	 */
	boolean hasNumber(long[] halves) {
		long last = this.length.last() - this.length.start();
		return Long.compareUnsigned(halves[1], last) <= 0
				&& Long.compareUnsigned(halves[0], Long.divideUnsigned(last - halves[1], this.right)) <= 0;
	}

	/**
	 * The permutation of the numbers at or above a beginning.
	 *
	 * @param ff1 permutes all numbers of the length
	 * @param from the beginning, counted from the first number of the length
	 * @param left its left half
	 * @param right its right half
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
