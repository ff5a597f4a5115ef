package dev.idspring.store.rules;

import java.util.List;

/**
 * A snapshot of the slots of a key space.
 *
 * @param next the first number that was never used
 * @param capacity the capacity of the key space
 * @param fenced the effects of the latest fail-over
 * @param fence the servers, and the line of the numbers
 * @param slots the requested slots
 * @param now the time of the store, in milliseconds since 1970
 * @since 0.1.0
 */
public record SlotView(long next, long capacity, Fenced fenced, FenceState fence, List<SlotState> slots, long now) {

	/**
	 * Create a view.
	 */
	public SlotView {
		slots = List.copyOf(slots);
	}

	/**
	 * The effects of a fail-over.
	 *
	 * @param first the first number of a slot that it skipped
	 * @param end the first number that it did not skip: the same for nodes, of which it
	 * skips none
	 * @param until when instances get new nodes again, in milliseconds since 1970
	 * @since 0.1.0
	 */
	public record Fenced(long first, long end, long until) {

		/** Before the first fail-over. */
		public static final Fenced NONE = new Fenced(0, 0, 0);

	}

}
