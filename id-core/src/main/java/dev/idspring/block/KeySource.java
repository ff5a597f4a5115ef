package dev.idspring.block;

/**
 * Hands out the keys of one {@link BlockEngine}, or of several engines. If the order of
 * keys does not matter, a caller that needs a single key first tries the stripe or the
 * shared chunk of its thread.
 */
interface KeySource {

	/**
	 * Take the next key.
	 */
	long takeKey();

	/**
	 * Take several keys, all or none.
	 */
	void takeKeys(long[] into);

}
