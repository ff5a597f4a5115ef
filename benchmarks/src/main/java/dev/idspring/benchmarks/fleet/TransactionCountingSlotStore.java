package dev.idspring.benchmarks.fleet;

import java.time.Instant;
import java.util.Optional;

import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A slot store in memory that counts the transactions that a database would execute.
 */
final class TransactionCountingSlotStore implements SlotStore {

	private final InMemorySlotStore store;

	private final Simulation simulation;

	private final Transactions transactions;

	private @Nullable SlotListing listing;

	private long listedSecond;

	TransactionCountingSlotStore(Simulation simulation, Transactions transactions) {
		this.store = new InMemorySlotStore(simulation);
		this.simulation = simulation;
		this.transactions = transactions;
	}

	@Override
	public Instant time(Deadline deadline) {
		this.transactions.add();
		return this.store.time(deadline);
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		this.transactions.add();
		return this.store.claim(keySpace, space, owner, deadline);
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		this.transactions.add();
		return this.store.claim(keySpace, number, space, owner, deadline);
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		this.transactions.add();
		return this.store.advance(keySpace, space, slot, owner, position, deadline);
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		this.transactions.add();
		return this.store.renew(keySpace, space, slot, owner, deadline);
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		this.transactions.add();
		return this.store.release(keySpace, slot, owner, position, deadline);
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		this.transactions.add();
		return this.store.read(keySpace, number, deadline);
	}

	/**
	 * Return the same listing for all calls within a second. A listing that is up to a
	 * second old is sufficient, because the simulation needs listings only for metrics,
	 * for warnings and for the number of claimed slots.
	 */
	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		this.transactions.add();
		long second = this.simulation.nanoTime() / 1_000_000_000;
		if (this.listing == null || this.listedSecond != second) {
			this.listing = this.store.list(keySpace, deadline);
			this.listedSecond = second;
		}
		return this.listing;
	}

	@Override
	public long countOwned(String keySpace, Deadline deadline) {
		return list(keySpace, deadline).slots().stream().filter(StoredSlot::isLeased).count();
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		this.store.skip(keySpace, positions, slots, deadline);
	}

}
