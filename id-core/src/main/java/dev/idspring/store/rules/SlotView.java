package dev.idspring.store.rules;

import java.util.List;

/**
 * What a store has read of the slots of a key space at one moment.
 *
 * @param next the first number that was never used
 * @param capacity the capacity of the key space
 * @param fenced what the latest fail-over has left
 * @param fence the servers, and the line of the numbers
 * @param slots the slots that were asked for
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
	 * What a fail-over leaves.
	 *
	 * @param first the first number of a slot that it skipped
	 * @param end the first number that it did not skip: the same for nodes, of which it
	 * skips none
	 * @param until until when no new node is given to anybody, in milliseconds since 1970
	 * @since 0.1.0
	 */
	public record Fenced(long first, long end, long until) {

		/** Before the first fail-over. */
		public static final Fenced NONE = new Fenced(0, 0, 0);

	}

}
