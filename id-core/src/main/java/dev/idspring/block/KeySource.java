package dev.idspring.block;

/**
 * Hands out the keys of one engine or of several, to callers whose own stripe has none.
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
