package dev.idspring.store.rules;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.DurationText;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.rules.FenceRules.Usage;
import dev.idspring.worker.Deadline;

/**
 * The base class of slot stores, with the rules that they share. A slot is either a
 * series, which is a range of ordinals (positions of ids in their key space), or a node,
 * which is a range of times. Only one owner at a time uses a slot. The position of a slot
 * is the first ordinal or time that is not reserved. No position is used twice, for these
 * reasons:
 * <ol>
 * <li>One atomic step advances a slot. The step requires the expected owner, position,
 * token and server, and writes a new token. The owner receives the result only after the
 * step is durable.</li>
 * <li>If the step changes nothing, the store reads the slot. If the slot has the token of
 * an earlier attempt of the same owner, that attempt has succeeded. A clone of this
 * process never writes the same token ({@link SlotOwner}).</li>
 * <li>One atomic step gives a slot to a new owner. The step changes nothing if the slot
 * has changed since it was read. Therefore, only one instance gets the slot, at its
 * current position.</li>
 * <li>One atomic step takes the number of a new slot from a counter that never decreases.
 * If the caller requests a particular number instead, one atomic step creates the slot
 * unless it exists.</li>
 * <li>If servers can fail over, every step requires that the current server was the last
 * to write the slots. The first step on another server is a take-over, which advances the
 * counter and the slots together ({@link SlotRules}).</li>
 * </ol>
 *
 * @param <X> the exception of a failed read or write of the store
 * @since 0.1.0
 */
public abstract class RuledSlotStore<X extends Exception> implements SlotStore {

	/** A number that no slot has. */
	private static final long NONE = -1;

	/**
	 * Return the rules that protect this store against the loss of reservations in a
	 * fail-over.
	 * @return the rules
	 */
	protected abstract FenceRules rules();

	/**
	 * Make an attempt, and retry it until it has a result or the deadline has passed.
	 * When the writes of an attempt are durable, run {@link Outcome#afterCommit}.
	 * @param what the operation, for failure messages
	 * @param keySpace the name of the key space
	 * @param work the operations of an attempt. If {@code work} returns, all of its
	 * writes must be stored, even if the outcome is a retry. If it throws an exception,
	 * no write may be stored. If it is unknown whether the writes were stored, a retry is
	 * safe
	 * @param deadline when to stop retrying
	 * @param <T> the type of the result
	 * @return the result
	 */
	protected abstract <T> T attempt(String what, String keySpace, Work<T, X> work, Deadline deadline);

	/**
	 * Make an attempt, and retry it only if its outcome is a retry. Do not retry after an
	 * exception. The default implementation calls {@link #attempt}. A store must override
	 * this method if its {@code attempt} retries after exceptions.
	 * @param what the operation, for failure messages
	 * @param keySpace the name of the key space
	 * @param work the operations of an attempt
	 * @param deadline when to stop retrying
	 * @param <T> the type of the result
	 * @return the result
	 */
	protected <T> T once(String what, String keySpace, Work<T, X> work, Deadline deadline) {
		return attempt(what, keySpace, work, deadline);
	}

	/**
	 * Run a query. Its result may include changes that are not durable yet.
	 * @param what the operation, for failure messages
	 * @param keySpace the name of the key space
	 * @param query the query
	 * @param deadline when to stop retrying
	 * @param <T> the type of the result
	 * @return the result
	 */
	protected abstract <T> T read(String what, String keySpace, Query<T, X> query, Deadline deadline);

	/**
	 * Return where slots are stored, for the message that a slot has vanished.
	 * @return the place, such as the name of a table
	 */
	protected abstract String place();

	/**
	 * Called with the first state that an attempt to claim, advance or renew has read,
	 * unless a take-over is needed. Subclasses can verify the state.
	 * @param keySpace the name of the key space
	 * @param view the state
	 * @param space the slots of the key space
	 * @param owner the owner on whose behalf the state was read
	 */
	protected void onSameServer(String keySpace, SlotView view, SlotSpace space, SlotOwner owner) {
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		StoreArguments.claim(keySpace, space, owner, deadline);
		return attempt("claim a slot of key space '" + keySpace + "'", keySpace,
				(access) -> claimAny(access, keySpace, space, owner), deadline)
			.map(owner::rememberToken);
	}

	private Outcome<Optional<StoredSlot>> claimAny(SlotAccess<X> access, String keySpace, SlotSpace space,
			SlotOwner owner) throws X {
		SlotView view = access.viewClaimable(owner);
		if (view.fence().needsTakeOver()) {
			return takeOver(access, keySpace, space, owner);
		}
		onSameServer(keySpace, view, space, owner);
		for (SlotState claimable : SlotRules.claimableSlots(view, space, owner)) {
			SlotState ownedState = SlotState.owned(claimable.slot(), owner, view.now());
			if (access.replace(claimable, ownedState)) {
				return Outcome.of(Optional.of(ownedState.stored(view.now())));
			}
		}
		verifyNoWait(SlotRules.waitForNew(view, space), keySpace);
		Optional<SlotState> newState = access.create(view, space, owner);
		return newState.isPresent() ? Outcome.of(newState.map((state) -> state.stored(view.now())))
				: explainNoNewSlot(access, keySpace, space);
	}

	/**
	 * Find out why no new slot could be created.
	 */
	private Outcome<Optional<StoredSlot>> explainNoNewSlot(SlotAccess<X> access, String keySpace, SlotSpace space)
			throws X {
		SlotView view = access.view(OptionalLong.of(NONE));
		if (view.next() >= space.count()) {
			return Outcome.of(Optional.empty());
		}
		// only the creation of series, which have no horizon, is limited by the
		// FenceLine: the positions of nodes are times
		Optional<Outcome<Optional<StoredSlot>>> obstacle = (space.horizon() == null)
				? rules().findObstacle(access, keySpace, view.fence(), Usage.UNKNOWN,
						slotRules().unitsLeft(view, space), rules().unitsPerSeries(), false)
				: Optional.empty();
		return obstacle.orElseGet(Outcome::retryAfterConflict);
	}

	private SlotRules slotRules() {
		return new SlotRules(rules());
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		StoreArguments.claim(keySpace, number, space, owner, deadline);
		return owner.rememberToken(attempt("claim slot " + number + " of key space '" + keySpace + "'", keySpace,
				(access) -> claimOne(access, keySpace, number, space, owner), deadline));
	}

	private Outcome<StoredSlot> claimOne(SlotAccess<X> access, String keySpace, long number, SlotSpace space,
			SlotOwner owner) throws X {
		SlotView view = access.view(OptionalLong.of(number));
		if (view.fence().needsTakeOver()) {
			return takeOver(access, keySpace, space, owner);
		}
		onSameServer(keySpace, view, space, owner);
		if (view.slots().isEmpty()) {
			verifyNoWait(SlotRules.waitForNew(view, space), keySpace);
			SlotState newState = SlotState.created(number, space, owner, view.now());
			return access.insert(newState) ? Outcome.of(newState.stored(view.now())) : Outcome.retryAfterConflict();
		}
		SlotState state = view.slots().get(0);
		if (SlotRules.isFree(state, owner, view.now())) {
			SlotState ownedState = SlotState.owned(state.slot(), owner, view.now());
			return access.replace(state, ownedState) ? Outcome.of(ownedState.stored(view.now()))
					: Outcome.retryAfterConflict();
		}
		verifyNoWait(SlotRules.waitFor(state, view, space), keySpace);
		return Outcome.of(state.stored(view.now()));
	}

	private static void verifyNoWait(long millis, String keySpace) {
		if (millis > 0) {
			throw new IdStoreUnavailableException(
					"After a fail-over of the database, no instance can claim a node of key space '" + keySpace
							+ "' for another " + DurationText.rounded(Duration.ofMillis(millis))
							+ ", because all times that were reserved on the previous server must pass first.");
		}
	}

	/**
	 * Take over the slots for this server, and return a retry of the caller's operation.
	 */
	private <T> Outcome<T> takeOver(SlotAccess<X> access, String keySpace, SlotSpace space, SlotOwner owner) throws X {
		SlotView allSlots = access.view(OptionalLong.empty());
		// another instance may have taken over since the caller read the state
		boolean changed = allSlots.fence().needsTakeOver()
				&& access.takeOver(allSlots, slotRules().takeOver(allSlots, space, owner.lease()));
		if (!changed) {
			return Outcome.retryAfterConflict();
		}
		return new Outcome<>(null, "this server had to take over the slots first", Duration.ZERO, () -> {
			if (allSlots.fence().hasFailedOver()) {
				rules().logTakeOver(keySpace, SlotRules.waitAfterFailover(space, owner.lease()));
			}
		});
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		StoreArguments.advance(keySpace, space, slot, owner, position, deadline);
		return advance("reserve from slot ", keySpace, space, slot, owner, position, deadline);
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		StoreArguments.renew(keySpace, space, slot, owner, deadline);
		return advance("renew the lease of slot ", keySpace, space, slot, owner, slot.position(), deadline);
	}

	private StoredSlot advance(String what, String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		return owner.rememberToken(attempt(what + slot.number() + " of key space '" + keySpace + "'", keySpace,
				(access) -> advance(access, keySpace, space, slot, owner, position), deadline));
	}

	private Outcome<StoredSlot> advance(SlotAccess<X> access, String keySpace, SlotSpace space, Slot slot,
			SlotOwner owner, long position) throws X {
		Optional<SlotAccess.Moved> moved = access.move(slot, owner, position, false);
		if (moved.isPresent()) {
			return Outcome.of(moved.get().state().stored(moved.get().now()));
		}
		SlotView view = access.viewCurrent(slot.number());
		if (view.fence().needsTakeOver()) {
			return takeOver(access, keySpace, space, owner);
		}
		onSameServer(keySpace, view, space, owner);
		return Outcome.of(view.slots()
			.stream()
			.findFirst()
			.map((state) -> state.stored(view.now()))
			.or(() -> SlotRules.skippedSlot(view, slot))
			.orElseThrow(() -> new KeySpaceRegressionException(
					"Slot " + slot.number() + " of key space '" + keySpace + "' has vanished from " + place() + ".")));
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		StoreArguments.release(keySpace, slot, owner, position, deadline);
		return attempt("release slot " + slot.number() + " of key space '" + keySpace + "'", keySpace,
				(access) -> Outcome.of(access.move(slot, owner, position, true).isPresent()), deadline);
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return read("read slot " + number + " of key space '" + keySpace + "'", keySpace,
				(access) -> slotRules().predictedSlot(access.view(OptionalLong.of(number)), number), deadline);
	}

	@Override
	public Optional<StoredSlot> readCurrent(String keySpace, long number, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return attempt("read slot " + number + " of key space '" + keySpace + "'", keySpace,
				(access) -> Outcome.of(slotRules().predictedSlot(access.viewCurrent(number), number)), deadline);
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return read("read the slots of key space '" + keySpace + "'", keySpace, (access) -> {
			SlotView view = access.view(OptionalLong.empty());
			return new SlotListing(view.next(),
					view.slots().stream().map((state) -> state.stored(view.now())).toList());
		}, deadline);
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		StoreArguments.skip(keySpace, positions, slots, deadline);
		// do not retry after an unknown outcome, because that could skip twice
		once("skip ahead in key space '" + keySpace + "'", keySpace, (access) -> {
			SlotView view = access.view(OptionalLong.empty());
			StoreArguments.addSkipped(view.next(), slots);
			return access.skip(slots, SlotRules.skip(view, positions)) ? Outcome.of(true)
					: Outcome.retryAfterConflict();
		}, deadline);
	}

	/**
	 * The operations of one attempt.
	 *
	 * @param <T> the type of the result
	 * @param <X> the exception of a failed read or write
	 */
	public interface Work<T, X extends Exception> {

		/**
		 * Perform the operations.
		 * @param access the operations on the slots
		 * @return the outcome
		 * @throws X if the attempt failed, or if its outcome is unknown
		 */
		Outcome<T> run(SlotAccess<X> access) throws X;

	}

	/**
	 * The operations of one query.
	 *
	 * @param <T> the type of the result
	 * @param <X> the exception of a failed read or write
	 */
	public interface Query<T, X extends Exception> {

		/**
		 * Run the query.
		 * @param access the reads of the slots
		 * @return the result
		 * @throws X if the query failed
		 */
		T run(SlotAccess<X> access) throws X;

	}

}
