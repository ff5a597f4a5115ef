package dev.idspring.block;

import java.util.List;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;

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

	/**
	 * Write the keys of all ordinals in the given ranges to an array.
	 * @param from where to write the first key
	 */
	static void writeKeys(KeySpace keySpace, List<OrdinalRange> ranges, long[] into, int from) {
		int next = from;
		for (OrdinalRange range : ranges) {
			keySpace.keys(range.start(), into, next, (int) range.size());
			next += (int) range.size();
		}
	}

}
