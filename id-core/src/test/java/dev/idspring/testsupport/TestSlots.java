package dev.idspring.testsupport;

import dev.idspring.store.SlotStore.SlotSpace;

/**
 * A slot space for tests of stores.
 *
 * @param count the number of slots
 * @param size the number of positions of each series, which begins at the end of the
 * previous one; 0 for nodes, which begin at position 0 and have no end
 * @param horizon the latest position that any instance may have reserved, or {@code null}
 * if positions are not times
 */
public record TestSlots(long count, long size, Horizon horizon) implements SlotSpace {

	public static TestSlots series(long count, long size) {
		return new TestSlots(count, size, null);
	}

	public static TestSlots nodes(long count, Horizon horizon) {
		return new TestSlots(count, 0, horizon);
	}

	@Override
	public long start(long number) {
		return number * this.size;
	}

	@Override
	public long end(long number) {
		return (this.size > 0) ? start(number) + this.size : Long.MAX_VALUE;
	}

}
