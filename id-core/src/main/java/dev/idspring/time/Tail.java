package dev.idspring.time;

import java.security.SecureRandom;

/**
 * What tells ids of the same node and millisecond apart. In each of them no tail comes
 * twice in a millisecond.
 *
 * @since 0.1.0
 */
public enum Tail {

	/**
	 * Counts the ids of the millisecond, from 0. As published by Twitter. At low rates
	 * nearly all ids end in zeros.
	 */
	SEQUENCE,

	/**
	 * Goes on from the last tail while that leaves at least half of the range, else
	 * begins at 0: keeps the order within a millisecond and spreads the low bits.
	 */
	ROLLING,

	/**
	 * A counter that is never reset. As published by Instagram.
	 */
	FREE_RUNNING,

	/**
	 * A permutation of the range that is different in every millisecond.
	 */
	RANDOM;

	/**
	 * Where the keys of random tails come from. That ids are unique does not rest on
	 * them: they only make tails hard to foresee.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Keys {

		/**
		 * Return the key for the random tails of a generator. Asked once, when it is
		 * opened.
		 * @param generator the name of the generator
		 * @return any number
		 */
		long key(String generator);

		/**
		 * Return keys that cannot be foreseen.
		 * @return keys that differ at every start
		 */
		static Keys secure() {
			SecureRandom random = new SecureRandom();
			return (generator) -> random.nextLong();
		}

	}

}
