package dev.idspring.lab;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.DelegatingSlotStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.Deadline;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Wraps the stores of an instance and records their answers: what is reserved, and which
 * attempts have an unknown outcome. From these records, the {@link Ledger} computes the
 * largest number of ids that may be lost.
 */
final class RecordedStores implements BeanPostProcessor, IdGeneratorListener {

	private final Map<LabGenerator, RecordFile> files = new EnumMap<>(LabGenerator.class);

	private final LabClock clock;

	RecordedStores(Path directory, String instance, LabClock clock) {
		this.clock = clock;
		for (LabGenerator generator : LabGenerator.values()) {
			this.files.put(generator, RecordFile.open(RecordFile.storeFile(directory, instance, generator)));
		}
		writeToAll(StoreEvent.OPENED);
	}

	/**
	 * Record that the application was closed normally.
	 */
	void recordClosed() {
		writeToAll(StoreEvent.CLOSED);
		this.files.values().forEach(RecordFile::close);
	}

	private void writeToAll(StoreEvent event) {
		this.files.keySet().forEach((generator) -> write(generator, event, 0, 0, 0));
	}

	private void write(LabGenerator generator, StoreEvent event, long slot, long start, long end) {
		this.files.get(generator).write(event.ordinal(), System.nanoTime(), slot, start, end);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof KeySpaceStore store) {
			return new RecordedKeySpaceStore(store);
		}
		return (bean instanceof SlotStore store) ? new RecordedSlotStore(store) : bean;
	}

	@Override
	public void memoryDropped(String generator, long count) {
		write(generator(generator), StoreEvent.MEMORY_DROPPED, 0, 0, count);
	}

	private static LabGenerator generator(String keySpace) {
		return LabGenerator.valueOf(keySpace.toUpperCase(Locale.ROOT));
	}

	/**
	 * Call the store to reserve ids, and record the outcome.
	 * @param count the number of ids
	 * @param reserve calls the store
	 * @param writeConfirmation records the answer
	 */
	private <T> T reserve(LabGenerator generator, long count, Supplier<T> reserve,
			ConfirmationWriter<T> writeConfirmation) {
		this.clock.failAtRandom();
		write(generator, StoreEvent.REQUESTED, 0, 0, count);
		UnknownCommitCounter.getAndReset();
		try {
			T answer = reserve.get();
			writeUnknownCommits(generator, count);
			writeConfirmation.write(answer);
			return answer;
		}
		catch (Throwable ex) {
			writeUnknownCommits(generator, count);
			write(generator, StoreEvent.NOT_CONFIRMED, 0, 0, count);
			throw ex;
		}
		finally {
			write(generator, StoreEvent.ENDED, 0, 0, count);
		}
	}

	private void writeUnknownCommits(LabGenerator generator, long count) {
		int commits = UnknownCommitCounter.getAndReset();
		if (commits > 0) {
			write(generator, StoreEvent.IN_DOUBT, 0, commits, count);
		}
	}

	private boolean giveBack(LabGenerator generator, long slot, long start, long end, Supplier<Boolean> giveBack) {
		UnknownCommitCounter.getAndReset();
		StoreEvent event = StoreEvent.GIVEN_BACK_IN_DOUBT;
		try {
			boolean done = giveBack.get();
			// a retry returns false if an earlier attempt, whose outcome is unknown, has
			// already given the range back
			event = done ? StoreEvent.GIVEN_BACK : (UnknownCommitCounter.getAndReset() > 0)
					? StoreEvent.GIVEN_BACK_IN_DOUBT : StoreEvent.NOT_GIVEN_BACK;
			return done;
		}
		finally {
			UnknownCommitCounter.getAndReset();
			write(generator, event, slot, start, end);
		}
	}

	/**
	 * Records a reservation.
	 */
	private interface ConfirmationWriter<T> {

		void write(T answer);

	}

	private final class RecordedKeySpaceStore implements KeySpaceStore {

		private final KeySpaceStore store;

		RecordedKeySpaceStore(KeySpaceStore store) {
			this.store = store;
		}

		@Override
		public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
			LabGenerator generator = generator(name);
			return RecordedStores.this.reserve(generator, count, () -> this.store.reserve(name, count, bound, deadline),
					(range) -> write(generator, StoreEvent.CONFIRMED, 0, range.start(), range.end()));
		}

		@Override
		public void count(String name, long count, Deadline deadline) {
			this.store.count(name, count, deadline);
		}

		@Override
		public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
			return RecordedStores.this.giveBack(generator(name), 0, range.start(), range.end(),
					() -> this.store.giveBack(name, range, deadline));
		}

		@Override
		public StoreDescription describe() {
			return this.store.describe();
		}

		@Override
		public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
			return this.store.create(name, definition, capacity, deadline);
		}

		@Override
		public void raiseCapacity(String name, long capacity, Deadline deadline) {
			this.store.raiseCapacity(name, capacity, deadline);
		}

		@Override
		public Optional<StoredKeySpace> read(String name, Deadline deadline) {
			return this.store.read(name, deadline);
		}

		@Override
		public Optional<StoredHistory> readHistory(String name, Deadline deadline) {
			return this.store.readHistory(name, deadline);
		}

		@Override
		public void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
			this.store.replaceHistory(name, known, replacement, deadline);
		}

	}

	private final class RecordedSlotStore extends DelegatingSlotStore {

		RecordedSlotStore(SlotStore store) {
			super(store);
		}

		@Override
		public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
			Optional<StoredSlot> claimed = super.claim(keySpace, space, owner, deadline);
			claimed.ifPresent((stored) -> write(generator(keySpace), StoreEvent.CLAIMED, stored.slot().number(),
					owner.id().hashCode(), 0));
			return claimed;
		}

		@Override
		public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
				Deadline deadline) {
			LabGenerator generator = generator(keySpace);
			return reserve(generator, position - slot.position(),
					() -> super.advance(keySpace, space, slot, owner, position, deadline), (stored) -> {
						boolean ownedByUs = owner.id().equals(stored.owner());
						// in a series, ids that an earlier attempt reserved are lost,
						// even if that attempt ended at the same position; a time window
						// that an earlier attempt reserved can still be used
						boolean usable = generator.kind() != LabGenerator.Kind.SERIES
								|| (owner.isLatest(stored) && stored.slot().position() == position);
						write(generator, (ownedByUs && usable) ? StoreEvent.CONFIRMED : StoreEvent.NOT_CONFIRMED,
								slot.number(), slot.position(), stored.slot().position());
					});
		}

		@Override
		public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
			RecordedStores.this.clock.failAtRandom();
			return super.renew(keySpace, space, slot, owner, deadline);
		}

		@Override
		public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
			return giveBack(generator(keySpace), slot.number(), position, slot.position(),
					() -> super.release(keySpace, slot, owner, position, deadline));
		}

	}

}
