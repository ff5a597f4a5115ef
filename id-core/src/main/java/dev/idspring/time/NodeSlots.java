package dev.idspring.time;

import dev.idspring.store.SlotStore.SlotSpace;

/**
 * Nodes as slots. A node has no end of its own: the layout has one, and it may be moved.
 *
 * @param count how many there are
 * @param highestOffered how far a node may have been used to be of use
 * @param horizon up to where nodes may be reserved
 */
record NodeSlots(long count, long highestOffered, Horizon horizon) implements SlotSpace {

	@Override
	public long start(long number) {
		return 0;
	}

	@Override
	public long end(long number) {
		return Long.MAX_VALUE;
	}

}
