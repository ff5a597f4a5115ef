package dev.idspring.text;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Permutes numbers under secrets, and writes the results in the digits of an alphabet.
 * Apart from their count, the digits reveal nothing about the number.
 */
final class SecretDigits implements TextForm {

	private final Digits digits;

	private final SecretPermutation[] permutations;

	private final long first;

	private final long last;

	/**
	 * Create a text form.
	 * @param digits the form in which permuted numbers are written
	 * @param secrets the secrets, ordered by the first number to which they apply
	 * @param firstNumbers the first number to which each secret applies, 0 for the first
	 * secret
	 * @param tweak the name of the key space, so that key spaces with the same secret
	 * have different permutations
	 * @param first the first number of the key space
	 * @param last the last number of the key space, as an unsigned {@code long}
	 */
	SecretDigits(Digits digits, List<Secret> secrets, List<Long> firstNumbers, String tweak, long first, long last) {
		this.digits = digits;
		this.first = first;
		this.last = last;
		List<AesPool> ciphers = secrets.stream().map(Secret::cipherPool).toList();
		this.permutations = digits.lengths()
			.stream()
			.map((length) -> new SecretPermutation(digits.alphabet().size(), length, ciphers, firstNumbers,
					tweak.getBytes(StandardCharsets.UTF_8)))
			.toArray(SecretPermutation[]::new);
	}

	@Override
	public String format(long number) {
		SecretPermutation permutation = this.permutations[this.digits.lengthIndex(number)];
		long[] halves = permutation.permute(number);
		int leftLength = permutation.length().characters() / 2;
		Alphabet alphabet = this.digits.alphabet();
		return alphabet.encode(halves[0], leftLength)
				+ alphabet.encode(halves[1], permutation.length().characters() - leftLength);
	}

	@Override
	public long parse(String text) {
		SecretPermutation permutation = this.permutations[this.digits.lengthIndex(text)];
		int leftLength = permutation.length().characters() / 2;
		Alphabet alphabet = this.digits.alphabet();
		long[] halves = { alphabet.decode(text, 0, leftLength), alphabet.decode(text, leftLength, text.length()) };
		long number = permutation.invert(halves);
		if (!permutation.hasNumber(halves) || Long.compareUnsigned(number, this.first) < 0
				|| Long.compareUnsigned(number, this.last) > 0) {
			// the message must not reveal the number
			throw TextForm.invalid(text, "no id has this text");
		}
		return number;
	}

	@Override
	public String pattern() {
		return this.digits.pattern();
	}

	@Override
	public boolean isSorted() {
		return false;
	}

	@Override
	public boolean isCaseSensitive() {
		return this.digits.isCaseSensitive();
	}

}
