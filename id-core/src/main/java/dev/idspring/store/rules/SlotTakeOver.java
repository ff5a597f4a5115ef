package dev.idspring.store.rules;

import java.util.List;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.SlotView.Fenced;

/**
 * The changes with which a new server of the store takes over the slots (series or nodes)
 * of a key space. A store writes all changes in one atomic step, and only if the key
 * space and the slots are unchanged since they were read.
 *
 * @param line the limit for the creation of series; its position is the number of the
 * next new slot
 * @param fenced the slot numbers that the latest fail-over affects
 * @param replacements the slots to change
 * @since 0.1.0
 */
public record SlotTakeOver(FenceLine line, Fenced fenced, List<Replacement> replacements) {

	/**
	 * Create the changes.
	 */
	public SlotTakeOver {
		replacements = Replacement.changed(replacements);
	}

	/**
	 * A change of one slot.
	 *
	 * @param before the state that was read
	 * @param after the new state, whose {@link SlotState#leasedAt} must be unchanged
	 * @since 0.1.0
	 */
	public record Replacement(SlotState before, SlotState after) {

		/**
		 * Return the replacements whose states differ. A store may detect a conflict by
		 * the number of updated rows, and some drivers do not count a row that an update
		 * leaves unchanged.
		 */
		static List<Replacement> changed(List<Replacement> replacements) {
			return replacements.stream().filter((change) -> !change.before.equals(change.after)).toList();
		}

	}

}
