package dev.idspring.store.rules;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.rules.SlotTakeOver.Replacement;

/**
 * The operations of a store on the slots of one key space in one attempt. Reads may be
 * outdated, because each write names the values that it depends on. The store checks them
 * and the server that it runs on, and writes in one atomic step. So a write fails on a
 * server that has not {@linkplain FenceState#needsTakeOver passed the fence}.
 *
 * @param <X> the exception of a failed read or write
 * @since 0.1.0
 */
public interface SlotAccess<X extends Exception> extends FenceAccess<X> {

	/**
	 * Read the counters of the key space, and slots.
	 * @param number the number of one slot, or empty for all that are not used up
	 * @return the state
	 * @throws X if it cannot be read
	 */
	SlotView view(OptionalLong number) throws X;

	/**
	 * Read the same, with at least the slots that an owner may claim.
	 * @param owner the owner
	 * @return the state
	 * @throws X if it cannot be read
	 */
	default SlotView viewOffered(SlotOwner owner) throws X {
		return view(OptionalLong.empty());
	}

	/**
	 * Replace a slot if it is unchanged since it was read.
	 * @param before the state that was read
	 * @param after the new state
	 * @return whether it was replaced
	 * @throws X if the outcome is unknown
	 */
	boolean replace(SlotState before, SlotState after) throws X;

	/**
	 * Store a slot that was requested by its number, if it does not exist.
	 * @param begun the slot
	 * @return whether it was stored
	 * @throws X if the outcome is unknown
	 */
	boolean insert(SlotState begun) throws X;

	/**
	 * Take the next number that has no slot, and begin one.
	 * @param view the state that was read
	 * @param space the slots of the key space
	 * @param owner the owner
	 * @return the slot, or empty if there are no more numbers, others were faster, or the
	 * line of the numbers of series does not allow one
	 * @throws X if the outcome is unknown
	 */
	Optional<SlotState> begin(SlotView view, SlotSpace space, SlotOwner owner) throws X;

	/**
	 * Advance a slot and renew the lease, or release it, if owner, position and token are
	 * those that the owner knows.
	 * @param slot the slot as the owner knows it
	 * @param owner the owner
	 * @param position the new position
	 * @param release whether the slot has no owner afterwards
	 * @return the slot and the time, empty if it was not as the owner knows it
	 * @throws X if the outcome is unknown
	 */
	default Optional<Moved> move(Slot slot, SlotOwner owner, long position, boolean release) throws X {
		SlotView view = view(OptionalLong.of(slot.number()));
		Slot moved = slot.at(position);
		SlotState after = release ? SlotState.released(moved, owner, view.now())
				: SlotState.owned(moved, owner, view.now());
		for (SlotState before : view.slots()) {
			if (before.isAsKnown(slot, owner) && replace(before, after)) {
				return Optional.of(new Moved(after, view.now()));
			}
		}
		return Optional.empty();
	}

	/**
	 * Make slots usable on this server.
	 * @param view the state that was read
	 * @param change the changes to write
	 * @return whether everything was unchanged
	 * @throws X if the outcome is unknown
	 */
	default boolean takeOver(SlotView view, SlotTakeOver change) throws X {
		return false;
	}

	/**
	 * Skip ahead on any server.
	 * @param numbers by how much to advance the next number
	 * @param replacements the slots to replace
	 * @return whether everything was unchanged
	 * @throws X if the outcome is unknown
	 */
	boolean skip(long numbers, List<Replacement> replacements) throws X;

	/**
	 * A slot that was advanced or released.
	 *
	 * @param state the slot
	 * @param now the time of the store
	 * @since 0.1.0
	 */
	record Moved(SlotState state, long now) {

	}

}
