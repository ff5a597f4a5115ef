package dev.idspring.store.rules;

import dev.idspring.store.KeySpaceStore.StoredKeySpace;

/**
 * A snapshot of a key space.
 *
 * @param keySpace the key space
 * @param hasSlots whether any slot was ever begun: then the counter only counts ids
 * @param reservation the token of the last reservation, empty after it was given back
 * @param fence the servers, and the line of the counter
 * @since 0.1.0
 */
public record KeySpaceView(StoredKeySpace keySpace, boolean hasSlots, String reservation, FenceState fence) {

	/**
	 * Return the end of the ordinals, of which a take-over skips a share. The bound of
	 * the instance that performs it may be far lower than that of others.
	 */
	long end(long bound) {
		return Math.max(bound, this.keySpace.capacity());
	}

}
