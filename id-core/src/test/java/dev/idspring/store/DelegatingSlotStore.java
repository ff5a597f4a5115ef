package dev.idspring.store;

import java.time.Instant;
import java.util.Optional;

import dev.idspring.worker.Deadline;

/**
 * A slot store that delegates to another one. Tests override single methods.
 */
public class DelegatingSlotStore implements SlotStore {

	private final SlotStore delegate;

	public DelegatingSlotStore(SlotStore delegate) {
		this.delegate = delegate;
	}

	@Override
	public boolean belongsTo(KeySpaceStore keySpaces) {
		return this.delegate.belongsTo(keySpaces);
	}

	@Override
	public long countOwned(String keySpace, Deadline deadline) {
		return this.delegate.countOwned(keySpace, deadline);
	}

	@Override
	public Instant time(Deadline deadline) {
		return this.delegate.time(deadline);
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		return this.delegate.claim(keySpace, space, owner, deadline);
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		return this.delegate.claim(keySpace, number, space, owner, deadline);
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		return this.delegate.advance(keySpace, space, slot, owner, position, deadline);
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		return this.delegate.renew(keySpace, space, slot, owner, deadline);
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		return this.delegate.release(keySpace, slot, owner, position, deadline);
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		return this.delegate.read(keySpace, number, deadline);
	}

	@Override
	public Optional<StoredSlot> readCurrent(String keySpace, long number, Deadline deadline) {
		return this.delegate.readCurrent(keySpace, number, deadline);
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		return this.delegate.list(keySpace, deadline);
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		this.delegate.skip(keySpace, positions, slots, deadline);
	}

}
