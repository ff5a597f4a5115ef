package dev.idspring.store.rules;

import dev.idspring.store.KeySpaceStore.StoredKeySpace;

/**
 * A snapshot of the stored state of a key space.
 *
 * @param keySpace the key space
 * @param hasSlots whether the key space has ever had a slot (series or node); if so, its
 * counter issues no ordinals and only counts ids
 * @param reservation the token of the last reservation; empty after a give-back, or if
 * the store compares tokens only when it writes
 * @param fence the state of the fence, with the line of the counter
 * @since 0.1.0
 */
public record KeySpaceView(StoredKeySpace keySpace, boolean hasSlots, String reservation, FenceState fence) {

	/**
	 * Return the end of the ordinals, from which a take-over computes how many ordinals
	 * it may skip. This is the bound of this instance or the stored capacity, whichever
	 * is higher. Other instances may have a far higher bound than this one.
	 */
	long end(long bound) {
		return Math.max(bound, this.keySpace.capacity());
	}

}
