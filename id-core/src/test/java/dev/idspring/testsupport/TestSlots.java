package dev.idspring.testsupport;

import dev.idspring.store.SlotStore.SlotSpace;

/**
 * Slots for tests of stores.
 *
 * @param count how many there are
 * @param size how many positions each of them has, one slot after the other; 0 for times,
 * which have no end
 * @param horizon up to where times may be reserved, or {@code null}
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
