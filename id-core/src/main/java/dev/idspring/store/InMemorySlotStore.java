package dev.idspring.store;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores slots in the memory of this JVM, for tests and for programs that tolerate ids
 * that repeat after a restart. Generators that share a store never issue the same id.
 *
 * @since 0.1.0
 */
public final class InMemorySlotStore implements SlotStore {

	private static final Instant NEVER = Instant.ofEpochMilli(Long.MAX_VALUE);

	private final TimeSource timeSource;

	private final Lock lock = new ReentrantLock();

	private final Map<String, KeySpaceSlots> keySpaces = new HashMap<>();

	/**
	 * Create an empty store.
	 * @param timeSource decides when leases expire
	 */
	public InMemorySlotStore(TimeSource timeSource) {
		this.timeSource = InvalidSettingException.requireGiven(InMemorySlotStore.class, "timeSource", timeSource);
	}

	/**
	 * {@inheritDoc}
	 *
	 * Key spaces in memory have one slot store: the first that a generator uses.
	 */
	@Override
	public boolean belongsTo(KeySpaceStore keySpaces) {
		InvalidSettingException.requireGiven(InMemorySlotStore.class, "keySpaces", keySpaces);
		return (keySpaces instanceof InMemoryKeySpaceStore memory) ? memory.hasSlots(this)
				: keySpaces.describe().type().equals(InMemoryKeySpaceStore.TYPE);
	}

	@Override
	public Instant time(Deadline deadline) {
		StoreArguments.time(deadline);
		return this.timeSource.instant();
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		StoreArguments.claim(keySpace, space, owner, deadline);
		return locked(keySpace, (slots) -> {
			Slot slot = slots.rows.values()
				.stream()
				.filter((row) -> isOffered(row, space, owner))
				.min(Comparator.comparing((StoredSlot row) -> !owner.owns(row))
					.thenComparing((row) -> row.slot().position()))
				.map(StoredSlot::slot)
				.orElse(null);
			while (slot == null && slots.next < space.count()) {
				long number = slots.next++;
				slot = slots.rows.containsKey(number) ? null : begun(number, space);
			}
			return Optional.ofNullable(slot)
				.map((claimed) -> put(slots, claimed, owner, owner.attempt(claimed.number())));
		});
	}

	private boolean isOffered(StoredSlot row, SlotSpace space, SlotOwner owner) {
		return !row.slot().isUsedUp() && row.slot().number() < space.count()
				&& (owner.owns(row) || (hasExpired(row) && row.slot().position() <= space.highestOffered()));
	}

	private boolean hasExpired(StoredSlot row) {
		return row.leaseUntil().isBefore(this.timeSource.instant());
	}

	private static Slot begun(long number, SlotSpace space) {
		return new Slot(number, space.start(number), space.end(number));
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		StoreArguments.claim(keySpace, number, space, owner, deadline);
		return locked(keySpace, (slots) -> {
			StoredSlot known = slots.rows.get(number);
			if (known != null && !owner.owns(known) && !hasExpired(known)) {
				return read(known);
			}
			return put(slots, (known != null) ? known.slot() : begun(number, space), owner, owner.attempt(number));
		});
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		StoreArguments.advance(keySpace, space, slot, owner, position, deadline);
		return locked(keySpace, (slots) -> {
			String token = owner.attempt(slot.number());
			StoredSlot known = slots.rows.get(slot.number());
			if (known == null) {
				throw new KeySpaceRegressionException("Slot " + slot.number() + " of key space '" + keySpace
						+ "' has vanished from the in-memory store.");
			}
			return isHeld(known, slot, owner) ? put(slots, slot.at(position), owner, token) : owner.learn(read(known));
		});
	}

	private static boolean isHeld(@Nullable StoredSlot known, Slot slot, SlotOwner owner) {
		return known != null && owner.id().equals(known.owner()) && known.slot().position() == slot.position()
				&& Objects.equals(owner.known(slot.number()), known.token());
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		StoreArguments.renew(keySpace, space, slot, owner, deadline);
		return advance(keySpace, space, slot, owner, slot.position(), deadline);
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		StoreArguments.release(keySpace, slot, owner, position, deadline);
		return locked(keySpace, (slots) -> {
			boolean held = isHeld(slots.rows.get(slot.number()), slot, owner);
			if (held) {
				Instant now = this.timeSource.instant();
				slots.rows.put(slot.number(),
						new StoredSlot(slot.at(position), null, owner.attempt(slot.number()), now, Instant.EPOCH, now));
			}
			return held;
		});
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return locked(keySpace, (slots) -> Optional.ofNullable(slots.rows.get(number)).map(this::read));
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return locked(keySpace, (slots) -> new SlotListing(slots.next,
				slots.rows.values().stream().filter((row) -> !row.slot().isUsedUp()).map(this::read).toList()));
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		StoreArguments.skip(keySpace, positions, slots, deadline);
		locked(keySpace, (all) -> {
			all.next = StoreArguments.skipped(all.next, slots);
			all.rows.replaceAll((number, row) -> {
				long skipped = Math.min(positions, row.slot().end() - row.slot().position());
				return new StoredSlot(row.slot().at(row.slot().position() + skipped), null, null, row.leasedAt(),
						Instant.EPOCH, row.readAt());
			});
			return true;
		});
	}

	/**
	 * Forget a slot, as if its row had been deleted.
	 */
	void forget(String keySpace, long number) {
		locked(keySpace, (slots) -> Optional.ofNullable(slots.rows.remove(number)));
	}

	/**
	 * Return a row as it is now.
	 */
	private StoredSlot read(StoredSlot row) {
		return new StoredSlot(row.slot(), row.owner(), row.token(), row.leasedAt(), row.leaseUntil(),
				this.timeSource.instant());
	}

	private StoredSlot put(KeySpaceSlots slots, Slot slot, SlotOwner owner, String token) {
		Instant now = this.timeSource.instant();
		StoredSlot row = new StoredSlot(slot, owner.id(), token, now, slot.isUsedUp() ? NEVER : now.plus(owner.lease()),
				now);
		slots.rows.put(slot.number(), row);
		return owner.learn(row);
	}

	private <T> T locked(String keySpace, Function<KeySpaceSlots, T> work) {
		this.lock.lock();
		try {
			return work.apply(this.keySpaces.computeIfAbsent(keySpace, (name) -> new KeySpaceSlots()));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The slots of one key space.
	 */
	private static final class KeySpaceSlots {

		private final Map<Long, StoredSlot> rows = new TreeMap<>();

		private long next;

	}

}
