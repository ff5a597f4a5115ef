package dev.idspring.block;

import java.util.List;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;

/**
 * Hands out the keys of one {@link BlockEngine}, or of several engines. For a single key,
 * {@link BlockIdGenerator} first tries the stripe or the shared chunk of the calling
 * thread, unless keys must be handed out in order. It calls {@link #takeKey} only if it
 * finds no key there.
 */
interface KeySource {

	/**
	 * Take the next key.
	 */
	long takeKey();

	/**
	 * Fill an array with the next keys. If too few keys are available, take none.
	 */
	void takeKeys(long[] into);

	/**
	 * Write the keys of all ordinals in the given ranges to an array.
	 * @param from the index in the array at which to write the first key
	 */
	static void writeKeys(KeySpace keySpace, List<OrdinalRange> ranges, long[] into, int from) {
		int next = from;
		for (OrdinalRange range : ranges) {
			keySpace.keys(range.start(), into, next, (int) range.size());
			next += (int) range.size();
		}
	}

}
