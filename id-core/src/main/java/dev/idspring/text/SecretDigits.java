package dev.idspring.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.text.Digits.Length;

/**
 * Digits that are permuted by secrets, so that they tell nothing about the number.
 * <p>
 * Secrets follow one another: the i-th is for numbers from its beginning R(i) to that of
 * the next. Let W(i) permute the numbers of a length from R(i) on, by encrypting under
 * the i-th secret until the result is at or beyond R(i). A number of the j-th secret
 * becomes W(0)(W(1)(… W(j)(number))).
 * <p>
 * Why no two numbers get the same text:
 * <ol>
 * <li>W(i) is a permutation of the numbers from R(i) on: to encrypt until the result is
 * back in a set permutes that set.</li>
 * <li>What W(i + 1) makes lies at or beyond R(i + 1). So W(i) never makes of it what it
 * makes of a number before R(i + 1).</li>
 * <li>Texts of different lengths differ. A secret that begins before a length is all of
 * it; one that begins behind it is none of it.</li>
 * </ol>
 */
final class SecretDigits implements TextForm {

	private final Digits digits;

	private final Permutation[] permutations;

	private final long first;

	private final long last;

	/**
	 * Create a form.
	 * @param digits the digits to permute
	 * @param secrets in the order of their beginnings
	 * @param beginnings the first number of each secret, that of the first one 0
	 * @param tweak the name of the key space
	 * @param first the first number
	 * @param last the last number, as an unsigned one
	 */
	SecretDigits(Digits digits, List<Secret> secrets, List<Long> beginnings, String tweak, long first, long last) {
		this.digits = digits;
		this.first = first;
		this.last = last;
		List<AesPool> keys = secrets.stream().map(Secret::permutationKey).map(AesPool::new).toList();
		this.permutations = digits.lengths()
			.stream()
			.map((length) -> new Permutation(digits.alphabet(), length, keys, beginnings,
					tweak.getBytes(StandardCharsets.UTF_8)))
			.toArray(Permutation[]::new);
	}

	@Override
	public String format(long number) {
		return this.permutations[this.digits.index(number)].format(number);
	}

	@Override
	public long parse(String text) {
		long number = this.permutations[this.digits.indexOf(text)].parse(text);
		if (Long.compareUnsigned(number, this.first) < 0 || Long.compareUnsigned(number, this.last) > 0) {
			// its number is not told
			throw TextForm.noId(text);
		}
		return number;
	}

	@Override
	public boolean isSorted() {
		return false;
	}

	/**
	 * The permutation of the texts of one length.
	 */
	private static final class Permutation {

		private final Alphabet alphabet;

		private final Length length;

		private final Era[] eras;

		/** How many numbers the right half of the digits has. */
		private final long right;

		Permutation(Alphabet alphabet, Length length, List<AesPool> keys, List<Long> beginnings, byte[] tweak) {
			this.alphabet = alphabet;
			this.length = length;
			List<Era> eras = new ArrayList<>();
			for (int i = 0; i < keys.size(); i++) {
				boolean beforeTheNext = i + 1 == keys.size()
						|| Long.compareUnsigned(length.start(), beginnings.get(i + 1)) < 0;
				if (beforeTheNext && Long.compareUnsigned(beginnings.get(i), length.last()) <= 0) {
					Ff1 ff1 = new Ff1(keys.get(i), alphabet.size(), length.characters(), tweak);
					long from = (eras.isEmpty()) ? 0 : beginnings.get(i) - length.start();
					eras.add(new Era(ff1, from, Long.divideUnsigned(from, ff1.right()),
							Long.remainderUnsigned(from, ff1.right())));
				}
			}
			this.eras = eras.toArray(Era[]::new);
			this.right = this.eras[0].ff1.right();
		}

		String format(long number) {
			long offset = number - this.length.start();
			int era = this.eras.length - 1;
			while (Long.compareUnsigned(offset, this.eras[era].from) < 0) {
				era--;
			}
			long[] halves = { Long.divideUnsigned(offset, this.right), Long.remainderUnsigned(offset, this.right) };
			for (; era >= 0; era--) {
				this.eras[era].permute(halves);
			}
			int left = this.length.characters() / 2;
			return this.alphabet.encode(halves[0], left)
					+ this.alphabet.encode(halves[1], this.length.characters() - left);
		}

		long parse(String text) {
			int left = this.length.characters() / 2;
			long[] halves = { this.alphabet.decode(text, 0, left), this.alphabet.decode(text, left, text.length()) };
			for (int era = 0; era < this.eras.length; era++) {
				this.eras[era].invert(halves);
				if (era + 1 < this.eras.length && this.eras[era + 1].isAfter(halves)) {
					break;
				}
			}
			// what exceeds 64 bits is the text of no number
			long room = Long.divideUnsigned(this.length.last() - this.length.start() - halves[1], this.right);
			if (Long.compareUnsigned(halves[1], this.length.last() - this.length.start()) > 0
					|| Long.compareUnsigned(halves[0], room) > 0) {
				throw TextForm.noId(text);
			}
			return this.length.start() + halves[0] * this.right + halves[1];
		}

	}

	/**
	 * The permutation of the numbers from a beginning on.
	 *
	 * @param ff1 permutes all numbers of the length
	 * @param from the beginning, counted from the first number of the length
	 * @param left its left half
	 * @param right its right half
	 */
	private record Era(Ff1 ff1, long from, long left, long right) {

		void permute(long[] halves) {
			do {
				this.ff1.encrypt(halves);
			}
			while (isAfter(halves));
		}

		void invert(long[] halves) {
			do {
				this.ff1.decrypt(halves);
			}
			while (isAfter(halves));
		}

		boolean isAfter(long[] halves) {
			return halves[0] < this.left || (halves[0] == this.left && halves[1] < this.right);
		}

	}

}
