package dev.idspring.keyspace;

/**
 * How the keys of a stretch of ordinals follow one another: each is the one before plus a
 * step, less the modulus where that is reached. So a key costs an addition.
 *
 * @param base what all keys of the stretch are above
 * @param step how far it is from one key to the next, from 0 to the modulus, exclusive
 * @param modulus the end of the keys above the base, at most 2<sup>62</sup>, so that the
 * sum of two of them fits a {@code long}
 * @since 0.1.0
 */
public record ArithmeticRun(long base, long step, long modulus) {

	/**
	 * Create steps.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public ArithmeticRun {
		if (base < 0 || modulus < 1 || modulus > CoprimeCycle.MAX_MODULUS || step < 0 || step >= modulus) {
			throw new IllegalArgumentException(
					"Not steps of keys: base " + base + ", step " + step + ", modulus " + modulus);
		}
	}

	/**
	 * Write keys, one addition each.
	 * @param first the first key
	 * @param into receives the keys
	 * @param offset where the first key goes
	 * @param count how many keys
	 */
	void fill(long first, long[] into, int offset, int count) {
		// either way is computed at once, where to reduce a sum would have to wait for it
		long back = this.modulus - this.step;
		long gap = this.base + back;
		long key = first;
		for (int i = offset; i < offset + count; i++) {
			into[i] = key;
			key = (key >= gap) ? key - back : key + this.step;
		}
	}

}
