package dev.idspring.time;

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
	RANDOM

}
