package dev.idspring.store.rules;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.rules.SlotTakeOver.Replacement;

/**
 * The operations on the {@linkplain dev.idspring.store.SlotStore slots} of one key space
 * that a store performs in one attempt. Each write specifies the values that it expects.
 * In one atomic step, the store compares them with the stored values, checks that this
 * server was the last to write the key space, and writes. An outdated read is therefore
 * harmless. While the key space {@linkplain FenceState#needsTakeOver needs a take-over},
 * at the first contact or after a fail-over, only {@link #takeOver} and {@link #skip}
 * change anything.
 *
 * @param <X> the exception of a failed read or write
 * @since 0.1.0
 */
public interface SlotAccess<X extends Exception> extends FenceAccess<X> {

	/**
	 * Read the counters of the key space, and either one slot or all slots.
	 * @param number the number of the slot, or empty for all slots that are not used up
	 * @return the state
	 * @throws X if the slots cannot be read
	 */
	SlotView view(OptionalLong number) throws X;

	/**
	 * Read the counters of the key space and the current state of one slot. A lagging
	 * replica must not answer: a generator stops if its slot seems to have an earlier
	 * position.
	 * @param number the number of the slot
	 * @return the state
	 * @throws X if the slot cannot be read
	 */
	default SlotView viewCurrent(long number) throws X {
		return view(OptionalLong.of(number));
	}

	/**
	 * Read the counters of the key space, and at least the slots that an owner may claim.
	 * @param owner the owner
	 * @return the state
	 * @throws X if the slots cannot be read
	 */
	default SlotView viewClaimable(SlotOwner owner) throws X {
		return view(OptionalLong.empty());
	}

	/**
	 * Replace a slot if it is unchanged since it was read.
	 * @param before the state that was read
	 * @param after the new state
	 * @return whether the slot was replaced
	 * @throws X if the outcome is unknown
	 */
	boolean replace(SlotState before, SlotState after) throws X;

	/**
	 * Store a new slot that was requested by its number, unless it already exists.
	 * @param newSlot the new slot
	 * @return whether the slot was stored
	 * @throws X if the outcome is unknown
	 */
	boolean insert(SlotState newSlot) throws X;

	/**
	 * Create a slot with the next number that no slot has.
	 * @param view the state that was read
	 * @param space the slots of the key space
	 * @param owner the owner
	 * @return the slot, or empty if no number is left, other instances were faster, or
	 * the fence does not allow another series now
	 * @throws X if the outcome is unknown
	 */
	Optional<SlotState> create(SlotView view, SlotSpace space, SlotOwner owner) throws X;

	/**
	 * Advance a slot and renew its lease, or release the slot. The slot changes only if
	 * it still belongs to the owner, and has the position and the token that the owner
	 * knows.
	 * @param slot the slot as the owner knows it
	 * @param owner the owner
	 * @param position the new position
	 * @param release whether to release the slot
	 * @return the changed slot and the time, or empty if the slot was not changed
	 * @throws X if the outcome is unknown
	 */
	default Optional<Moved> move(Slot slot, SlotOwner owner, long position, boolean release) throws X {
		SlotView view = view(OptionalLong.of(slot.number()));
		Slot moved = slot.at(position);
		SlotState after = release ? SlotState.released(moved, owner, view.now())
				: SlotState.owned(moved, owner, view.now());
		for (SlotState before : view.slots()) {
			if (before.matches(slot, owner) && replace(before, after)) {
				return Optional.of(new Moved(after, view.now()));
			}
		}
		return Optional.empty();
	}

	/**
	 * Take over the slots for this server, at the first contact or after a fail-over. The
	 * default implementation is for stores without a fence.
	 * @param view the state that was read
	 * @param change the changes to write
	 * @return {@code true} if the change was written, {@code false} if a value has
	 * changed since it was read
	 * @throws X if the outcome is unknown
	 */
	default boolean takeOver(SlotView view, SlotTakeOver change) throws X {
		return false;
	}

	/**
	 * Skip ahead, even if the key space needs a take-over.
	 * @param numbers by how much to advance the number of the next new slot
	 * @param replacements the slots to replace
	 * @return {@code true} if the change was written, {@code false} if a value has
	 * changed since it was read
	 * @throws X if the outcome is unknown
	 */
	boolean skip(long numbers, List<Replacement> replacements) throws X;

	/**
	 * The result of advancing or releasing a slot.
	 *
	 * @param state the new state of the slot
	 * @param now the time by the store's clock, in milliseconds since 1970
	 * @since 0.1.0
	 */
	record Moved(SlotState state, long now) {

	}

}
