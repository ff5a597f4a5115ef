package dev.idspring.redis;

import java.time.Instant;
import java.util.Optional;

import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.Deadline;

/**
 * Keeps the slots of key spaces in hashes.
 *
 * @since 0.1.0
 */
public final class RedisSlotStore implements SlotStore {

	/**
	 * Create a store.
	 * @param database where the slots are
	 */
	public RedisSlotStore(RedisDatabase database) {
	}

	@Override
	public Instant time(Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

}
