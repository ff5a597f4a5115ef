package dev.idspring.store.rules;

import java.util.List;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.SlotView.Fenced;

/**
 * The changes at the first use of slots on a server. A store writes them in one atomic
 * step, if the key space and the slots are unchanged since they were read.
 *
 * @param line the line of the numbers, whose position is the next number
 * @param fenced the effects of the fail-over
 * @param replacements the slots that change
 * @since 0.1.0
 */
public record SlotTakeOver(FenceLine line, Fenced fenced, List<Replacement> replacements) {

	/**
	 * Create a change.
	 */
	public SlotTakeOver {
		replacements = Replacement.changed(replacements);
	}

	/**
	 * A slot that changes.
	 *
	 * @param before the state that was read
	 * @param after the new state, with the same {@link SlotState#leasedAt}
	 * @since 0.1.0
	 */
	public record Replacement(SlotState before, SlotState after) {

		/**
		 * Return those that change something: some drivers do not count the others.
		 */
		static List<Replacement> changed(List<Replacement> all) {
			return all.stream().filter((one) -> !one.before.equals(one.after)).toList();
		}

	}

}
