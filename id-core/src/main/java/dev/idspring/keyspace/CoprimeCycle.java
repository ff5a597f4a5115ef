package dev.idspring.keyspace;

import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import java.math.BigInteger;

/**
 * The bijection {@code key(i) = (offset + i * multiplier) mod modulus} on [0, modulus),
 * and its inverse. The bijection is the closed form of the sequence {@code next = (last +
 * multiplier) mod modulus}. Because multiplier and modulus are coprime, the sequence
 * visits every number once before it repeats.
 * <p>
 * All arithmetic is exact. The modulus is at most 2<sup>62</sup>, so the sum of two
 * residues fits in a {@code long}. The product of two residues may not fit, so
 * {@link Factor} computes its remainder without computing the full product.
 */
final class CoprimeCycle {

	static final long MAX_MODULUS = 1L << 62;

	private static final long PUBLISHED_MODULUS = 56_800_235_584L;

	private static final long PUBLISHED_MULTIPLIER = 202_652_143_553L;

	private final long modulus;

	final long offset;

	final Factor multiplier;

	private final Factor inverse;

	/**
	 * Create a cycle.
	 * @param modulus 2 to 2<sup>62</sup>
	 * @param multiplier a positive number that is coprime with the modulus; it is reduced
	 * modulo the modulus
	 * @param offset the first key, from 0 (inclusive) to the modulus (exclusive)
	 */
	CoprimeCycle(long modulus, long multiplier, long offset) {
		BigInteger n = BigInteger.valueOf(modulus);
		BigInteger k = BigInteger.valueOf(multiplier).mod(n);
		this.modulus = modulus;
		this.offset = offset;
		this.multiplier = new Factor(k, n);
		this.inverse = new Factor(k.modInverse(n), n);
	}

	/**
	 * Return the default multiplier. For the modulus 62<sup>6</sup>, this is 202652143553
	 * mod 62<sup>6</sup>: the multiplier published with the formula of this class. For
	 * any other modulus n, this is the integer that is coprime with n and nearest to the
	 * golden section n * (sqrt(5) - 1) / 2. Such a multiplier spreads consecutive keys
	 * most evenly (Knuth, The Art of Computer Programming, volume 3, section 6.4).
	 * @param modulus 2 to 2<sup>62</sup>
	 * @return the multiplier, from 1 (inclusive) to the modulus (exclusive)
	 */
	static long defaultMultiplier(long modulus) {
		if (modulus == PUBLISHED_MODULUS) {
			return PUBLISHED_MULTIPLIER % PUBLISHED_MODULUS;
		}
		BigInteger n = BigInteger.valueOf(modulus);
		BigInteger fiveTimesSquare = n.multiply(n).multiply(BigInteger.valueOf(5));
		long below = fiveTimesSquare.sqrt().subtract(n).shiftRight(1).longValueExact();
		long above = below + 1;
		while (gcd(below, modulus) != 1) {
			below--;
		}
		while (above < modulus && gcd(above, modulus) != 1) {
			above++;
		}
		if (above >= modulus) {
			return below;
		}
		// twice the golden section is sqrt(5 * n^2) - n. If this is less than below +
		// above, then below is nearer to the golden section than above
		BigInteger sum = BigInteger.valueOf(below).add(BigInteger.valueOf(above)).add(n);
		return (fiveTimesSquare.compareTo(sum.multiply(sum)) < 0) ? below : above;
	}

	static long gcd(long a, long b) {
		return (b == 0) ? a : gcd(b, a % b);
	}

	/**
	 * Return the key of an ordinal in [0, modulus).
	 */
	long key(long ordinal) {
		long sum = this.offset + this.multiplier.times(ordinal);
		return (sum >= this.modulus) ? sum - this.modulus : sum;
	}

	/**
	 * Return the ordinal of a key in [0, modulus).
	 */
	long ordinal(long key) {
		long distance = key - this.offset;
		return this.inverse.times((distance < 0) ? distance + this.modulus : distance);
	}

	/**
	 * Return the steps between consecutive keys.
	 * @param base the number to add to each key of this cycle
	 */
	ArithmeticRun arithmeticRun(long base) {
		return new ArithmeticRun(base, this.multiplier.value, this.modulus);
	}

	/**
	 * Multiplies numbers by a constant v modulo n. Only the constructor divides: it
	 * computes q = floor(v * 2^63 / n). For any number x below 2^63, floor(x * q / 2^63)
	 * is either floor(x * v / n) or one less. The remainder for this quotient is below
	 * 2n, which is at most 2^63. The remainder is therefore correct even if intermediate
	 * results overflow 64 bits. This is Victor Shoup's method (MulModPrecon in NTL), as
	 * described in David Harvey, "Faster arithmetic for number-theoretic transforms",
	 * Journal of Symbolic Computation 60 (2014), section 2.
	 */
	record Factor(long value, long modulus, long scaledQuotient) {

		private Factor(BigInteger value, BigInteger modulus) {
			this(value.longValueExact(), modulus.longValueExact(),
					value.shiftLeft(63).divide(modulus).longValueExact());
		}

		/**
		 * Multiply by a number in [0, modulus).
		 */
		long times(long number) {
			long quotient = Math.multiplyHigh(number << 1, this.scaledQuotient);
			long remainder = number * this.value - quotient * this.modulus;
			return (remainder >= this.modulus) ? remainder - this.modulus : remainder;
		}

	}

}
