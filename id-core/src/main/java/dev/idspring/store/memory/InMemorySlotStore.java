package dev.idspring.store.memory;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.Outcome;
import dev.idspring.store.rules.RuledSlotStore;
import dev.idspring.store.rules.SlotAccess;
import dev.idspring.store.rules.SlotState;
import dev.idspring.store.rules.SlotTakeOver.Replacement;
import dev.idspring.store.rules.SlotView;
import dev.idspring.store.rules.SlotView.Fenced;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;

/**
 * Stores slots in the memory of this JVM, for tests and for programs that tolerate
 * repeated ids after a restart. Generators of the same key space must use the same store
 * object. Otherwise, they may issue the same ids.
 *
 * @since 0.1.0
 */
public final class InMemorySlotStore extends RuledSlotStore<RuntimeException> {

	private final TimeSource timeSource;

	private final Lock lock = new ReentrantLock();

	private final Map<String, KeySpaceSlots> keySpaces = new HashMap<>();

	/**
	 * Create an empty store.
	 * @param timeSource the clock that decides when leases expire
	 */
	public InMemorySlotStore(TimeSource timeSource) {
		this.timeSource = InvalidSettingException.requireGiven(InMemorySlotStore.class, "timeSource", timeSource);
	}

	/**
	 * {@inheritDoc}
	 *
	 * An {@link InMemoryKeySpaceStore} accepts only one slot store. The first call of
	 * this method with that key-space store determines which one.
	 */
	@Override
	public boolean belongsTo(KeySpaceStore keySpaces) {
		InvalidSettingException.requireGiven(InMemorySlotStore.class, "keySpaces", keySpaces);
		return (keySpaces instanceof InMemoryKeySpaceStore memory) ? memory.acceptSlotStore(this)
				: keySpaces.describe().type().equals(InMemoryKeySpaceStore.TYPE);
	}

	@Override
	public Instant time(Deadline deadline) {
		StoreArguments.time(deadline);
		return this.timeSource.instant();
	}

	@Override
	protected FenceRules rules() {
		return FenceRules.none();
	}

	@Override
	protected String place() {
		return "the in-memory store";
	}

	@Override
	protected <T> T attempt(String what, String keySpace, Work<T, RuntimeException> work, Deadline deadline) {
		Outcome<T> outcome = withLock(keySpace, work::run);
		T result = outcome.result();
		if (result == null) {
			throw new IdStoreUnavailableException("Cannot " + what + ": " + outcome.reason());
		}
		return result;
	}

	@Override
	protected <T> T read(String what, String keySpace, Query<T, RuntimeException> query, Deadline deadline) {
		return withLock(keySpace, query::run);
	}

	private <T> T withLock(String keySpace, Function<KeySpaceSlots, T> work) {
		this.lock.lock();
		try {
			return work.apply(this.keySpaces.computeIfAbsent(keySpace, (name) -> new KeySpaceSlots()));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Remove a slot, for tests of a slot that has vanished.
	 */
	void forget(String keySpace, long number) {
		withLock(keySpace, (slots) -> Optional.ofNullable(slots.states.remove(number)));
	}

	/**
	 * The slots of one key space. The lock of the store guards all access.
	 */
	private final class KeySpaceSlots implements SlotAccess<RuntimeException> {

		private final Map<Long, SlotState> states = new TreeMap<>();

		private long next;

		private long now() {
			return InMemorySlotStore.this.timeSource.millis();
		}

		@Override
		public SlotView view(OptionalLong number) {
			List<SlotState> slots = this.states.values()
				.stream()
				.filter((state) -> number.isPresent() ? state.slot().number() == number.getAsLong()
						: !state.slot().isUsedUp())
				.toList();
			return new SlotView(this.next, 0, Fenced.NONE, FenceState.NONE, slots, now());
		}

		@Override
		public boolean replace(SlotState before, SlotState after) {
			return this.states.replace(before.slot().number(), before, after);
		}

		@Override
		public boolean insert(SlotState newSlot) {
			return this.states.putIfAbsent(newSlot.slot().number(), newSlot) == null;
		}

		@Override
		public Optional<SlotState> create(SlotView view, SlotSpace space, SlotOwner owner) {
			while (this.next < space.count()) {
				SlotState newSlot = SlotState.created(this.next++, space, owner, view.now());
				if (insert(newSlot)) {
					return Optional.of(newSlot);
				}
			}
			return Optional.empty();
		}

		@Override
		public boolean skip(long numbers, List<Replacement> replacements) {
			this.next += numbers;
			replacements.forEach((replacement) -> replace(replacement.before(), replacement.after()));
			return true;
		}

	}

}
