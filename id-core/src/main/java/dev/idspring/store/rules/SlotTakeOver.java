package dev.idspring.store.rules;

import java.util.List;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.SlotView.Fenced;

/**
 * All that changes when slots are first used on a server. A store writes it as one
 * change, if the key space and the slots are as they were read.
 *
 * @param line the line of the numbers, whose position is the next number
 * @param fenced what the fail-over leaves
 * @param replacements the slots that change
 * @since 0.1.0
 */
public record SlotTakeOver(FenceLine line, Fenced fenced, List<Replacement> replacements) {

	/**
	 * Create a change.
	 */
	public SlotTakeOver {
		replacements = List.copyOf(replacements);
	}

	/**
	 * A slot that changes.
	 *
	 * @param before as it was read
	 * @param after as it is to be, with the same {@link SlotState#leasedAt}
	 * @since 0.1.0
	 */
	public record Replacement(SlotState before, SlotState after) {

	}

}
