package dev.idspring.block;

/**
 * Hands out keys to callers that find none in a stripe of their own: of one engine, or of
 * several.
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
