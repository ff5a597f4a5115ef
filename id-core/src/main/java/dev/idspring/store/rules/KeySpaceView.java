package dev.idspring.store.rules;

import dev.idspring.store.KeySpaceStore.StoredKeySpace;

/**
 * What a store has read of a key space at one moment.
 *
 * @param keySpace the key space
 * @param hasSlots whether any slot was ever begun: then the counter only counts ids
 * @param reservation what the last reservation has written, empty once it was given back
 * @param fence the servers, and the line of the counter
 * @since 0.1.0
 */
public record KeySpaceView(StoredKeySpace keySpace, boolean hasSlots, String reservation, FenceState fence) {

	/**
	 * Return the end of the ordinals, of which a take-over skips a share: not the bound
	 * of the instance that happens to carry it out, which may be far lower than that of
	 * others.
	 */
	long end(long bound) {
		return Math.max(bound, this.keySpace.capacity());
	}

}
