package dev.idspring.block;

/**
 * Hands out the keys of one engine, or of several engines. A caller that needs a single
 * key tries its own stripe first.
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
