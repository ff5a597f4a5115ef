package dev.idspring.block;

/**
 * Hands out the keys of one {@link BlockEngine}, or of several engines. A caller that
 * needs a single key first tries its stripe, which holds keys for a single thread.
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
