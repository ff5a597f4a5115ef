package dev.idspring.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps slots in the memory of this JVM, for tests and for programs that can live with
 * ids that repeat after a restart. Several generators may share one, in which case they
 * never hand out the same id.
 *
 * @since 0.1.0
 */
public final class InMemorySlotStore implements SlotStore {

	private static final long NEVER = Long.MAX_VALUE;

	private final TimeSource timeSource;

	private final Lock lock = new ReentrantLock();

	private final Map<String, KeySpaceSlots> keySpaces = new HashMap<>();

	/**
	 * Create an empty store.
	 * @param timeSource judges leases
	 */
	public InMemorySlotStore(TimeSource timeSource) {
		this.timeSource = timeSource;
	}

	@Override
	public Instant time(Deadline deadline) {
		return this.timeSource.instant();
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		return locked(keySpace, (slots) -> {
			long now = now();
			Row row = slots.rows.values()
				.stream()
				.filter((candidate) -> !candidate.slot.isUsedUp() && isOffered(candidate, space, owner, now))
				.min(Comparator.comparing((Row candidate) -> !owner.owns(candidate.stored(now)))
					.thenComparing((candidate) -> candidate.slot.position()))
				.orElse(null);
			while (row == null && slots.next < space.count()) {
				long number = slots.next++;
				row = slots.rows.containsKey(number) ? null : begun(number, space, now);
			}
			return Optional.ofNullable(row)
				.map((claimed) -> slots.put(claimed.slot, owner, owner.attempt(claimed.slot.number()), now));
		});
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		return locked(keySpace, (slots) -> {
			long now = now();
			Row known = slots.rows.get(number);
			Row row = (known != null) ? known : begun(number, space, now);
			boolean free = known == null || owner.owns(row.stored(now)) || row.leaseUntil < now;
			return free ? slots.put(row.slot, owner, owner.attempt(number), now) : row.stored(now);
		});
	}

	private static Row begun(long number, SlotSpace space, long now) {
		return new Row(new Slot(number, space.start(number), space.end(number)), null, null, now, now);
	}

	private static boolean isOffered(Row row, SlotSpace space, SlotOwner owner, long now) {
		return row.slot.number() < space.count() && (owner.owns(row.stored(now))
				|| (row.leaseUntil < now && row.slot.position() <= space.highestOffered()));
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		return locked(keySpace, (slots) -> {
			long now = now();
			String token = owner.attempt(slot.number());
			return slots.isHeld(slot, owner) ? slots.put(slot.at(position), owner, token, now)
					: owner.learn(slots.existing(keySpace, slot.number()).stored(now));
		});
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		return advance(keySpace, space, slot, owner, slot.position(), deadline);
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		return locked(keySpace, (slots) -> {
			boolean held = slots.isHeld(slot, owner);
			if (held) {
				slots.put(new Row(slot.at(position), null, owner.attempt(slot.number()), now(), 0));
			}
			return held;
		});
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		return locked(keySpace, (slots) -> Optional.ofNullable(slots.rows.get(number)).map((row) -> row.stored(now())));
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		return locked(keySpace, (slots) -> {
			long now = now();
			List<StoredSlot> open = new ArrayList<>();
			slots.rows.values()
				.stream()
				.filter((row) -> !row.slot.isUsedUp())
				.forEach((row) -> open.add(row.stored(now)));
			return new SlotListing(slots.next, open);
		});
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		locked(keySpace, (all) -> {
			all.next += slots;
			all.rows.replaceAll((number, row) -> {
				Slot slot = row.slot;
				long skipped = Math.min(positions, slot.end() - slot.position());
				return new Row(slot.at(slot.position() + skipped), null, null, row.leasedAt, 0);
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

	private long now() {
		return this.timeSource.instant().toEpochMilli();
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

		private final Map<Long, Row> rows = new TreeMap<>();

		private long next;

		boolean isHeld(Slot slot, SlotOwner owner) {
			Row row = this.rows.get(slot.number());
			return row != null && owner.id().equals(row.owner) && Objects.equals(owner.known(slot.number()), row.token)
					&& row.slot.position() == slot.position();
		}

		Row existing(String keySpace, long number) {
			Row row = this.rows.get(number);
			if (row == null) {
				throw new KeySpaceRegressionException(
						"Slot " + number + " of key space '" + keySpace + "' has vanished from the in-memory store.");
			}
			return row;
		}

		StoredSlot put(Slot slot, SlotOwner owner, String token, long now) {
			long leaseUntil = slot.isUsedUp() ? NEVER : now + owner.lease().toMillis();
			return owner.learn(put(new Row(slot, owner.id(), token, now, leaseUntil)).stored(now));
		}

		Row put(Row row) {
			this.rows.put(row.slot.number(), row);
			return row;
		}

	}

	private record Row(Slot slot, @Nullable String owner, @Nullable String token, long leasedAt, long leaseUntil) {

		StoredSlot stored(long now) {
			return new StoredSlot(this.slot, this.owner, this.token, Instant.ofEpochMilli(this.leasedAt),
					Instant.ofEpochMilli(this.leaseUntil), Instant.ofEpochMilli(now));
		}

	}

}
