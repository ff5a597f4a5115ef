package dev.idspring.store.rules;

import java.util.List;

/**
 * A snapshot of the slots of a key space.
 *
 * @param next the number of the next new slot
 * @param capacity the capacity of the key space
 * @param fenced the slot numbers that the latest fail-over affects
 * @param fence the state of the fence; its line limits the creation of series
 * @param slots the slots that were requested from {@link SlotAccess}
 * @param now the time by the store's clock, in milliseconds since 1970
 * @since 0.1.0
 */
public record SlotView(long next, long capacity, Fenced fenced, FenceState fence, List<SlotState> slots, long now) {

	/**
	 * Create a snapshot.
	 */
	public SlotView {
		slots = List.copyOf(slots);
	}

	/**
	 * The slot numbers that a fail-over affects.
	 *
	 * @param first the number of the next new slot when the take-over began. If the
	 * take-over skipped numbers, this is the first of them
	 * @param end the end of the skipped numbers, exclusive; equal to {@code first} if
	 * none were skipped, as always for nodes
	 * @param until the time until which no node is created, in milliseconds since 1970
	 * @since 0.1.0
	 */
	public record Fenced(long first, long end, long until) {

		/** The value before the first fail-over. */
		public static final Fenced NONE = new Fenced(0, 0, 0);

	}

}
