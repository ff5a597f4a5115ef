package dev.idspring.store.rules;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.rules.SlotTakeOver.Replacement;

/**
 * What a store does with the slots of one key space in one attempt. Reads may return what
 * has changed since, as each write names what it rests on. The store itself checks that
 * and writes in one step, also against the server that it runs on: so a write fails on a
 * server that has not {@linkplain FenceState#mustPass passed the fence}.
 *
 * @param <X> how a read or a write fails
 * @since 0.1.0
 */
public interface SlotAccess<X extends Exception> extends FenceAccess<X> {

	/**
	 * Read the counters of the key space, and slots.
	 * @param number the number of one slot, or empty for all that are not used up
	 * @return what was read
	 * @throws X if it cannot be read
	 */
	SlotView view(OptionalLong number) throws X;

	/**
	 * Read the same with those slots at least that an owner may claim.
	 * @param owner the owner
	 * @return what was read
	 * @throws X if it cannot be read
	 */
	default SlotView viewOffered(SlotOwner owner) throws X {
		return view(OptionalLong.empty());
	}

	/**
	 * Replace a slot if it is exactly as it was read.
	 * @param before as it was read
	 * @param after as it is to be
	 * @return whether it was replaced
	 * @throws X if it is not known
	 */
	boolean replace(SlotState before, SlotState after) throws X;

	/**
	 * Store a slot that was asked for by its number, if it does not exist.
	 * @param begun the slot
	 * @return whether it was stored
	 * @throws X if it is not known
	 */
	boolean insert(SlotState begun) throws X;

	/**
	 * Take the next number that has no slot, and begin one.
	 * @param view what was read
	 * @param space which slots there are
	 * @param owner the owner
	 * @return the slot, or empty if there are no more numbers, others were faster, or the
	 * line of the numbers of series does not allow one
	 * @throws X if it is not known
	 */
	Optional<SlotState> begin(SlotView view, SlotSpace space, SlotOwner owner) throws X;

	/**
	 * Advance a slot and renew the lease, or release it, if owner, position and token are
	 * what the owner knows.
	 * @param slot the slot as the owner knows it
	 * @param owner the owner
	 * @param position the new position
	 * @param release whether the slot has no owner afterwards
	 * @return the slot and the time, empty if it was not as the owner knows it
	 * @throws X if it is not known
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
	 * Let slots be used on this server.
	 * @param view what was read
	 * @param change what to write
	 * @return whether everything was as it was read
	 * @throws X if it is not known
	 */
	default boolean takeOver(SlotView view, SlotTakeOver change) throws X {
		return false;
	}

	/**
	 * Skip ahead, whatever the server.
	 * @param numbers by how much to advance the next number
	 * @param replacements the slots to replace
	 * @return whether everything was as it was read
	 * @throws X if it is not known
	 */
	boolean skip(long numbers, List<Replacement> replacements) throws X;

	/**
	 * A slot that was moved.
	 *
	 * @param state the slot
	 * @param now the time of the store
	 * @since 0.1.0
	 */
	record Moved(SlotState state, long now) {

	}

}
