package dev.idspring.benchmarks.fleet;

import java.util.Optional;

import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.worker.Deadline;

/**
 * A key space store in memory that counts the transactions that a database would execute.
 */
final class TransactionCountingKeySpaceStore implements KeySpaceStore {

	private final InMemoryKeySpaceStore store;

	private final Transactions transactions;

	TransactionCountingKeySpaceStore(Simulation simulation, Transactions transactions) {
		this.store = new InMemoryKeySpaceStore(simulation);
		this.transactions = transactions;
	}

	@Override
	public StoreDescription describe() {
		return this.store.describe();
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		this.transactions.add();
		return this.store.create(name, definition, capacity, deadline);
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		this.transactions.add();
		this.store.raiseCapacity(name, capacity, deadline);
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		this.transactions.add();
		return this.store.reserve(name, count, bound, deadline);
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		this.transactions.add();
		return this.store.giveBack(name, range, deadline);
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		this.transactions.add();
		return this.store.read(name, deadline);
	}

	@Override
	public Optional<StoredHistory> readHistory(String name, Deadline deadline) {
		this.transactions.add();
		return this.store.readHistory(name, deadline);
	}

	@Override
	public void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
		this.transactions.add();
		this.store.replaceHistory(name, known, replacement, deadline);
	}

	@Override
	public void count(String name, long count, Deadline deadline) {
		this.transactions.add();
		this.store.count(name, count, deadline);
	}

	long nextOrdinal(String name) {
		return this.store.keySpaces().get(name).nextOrdinal();
	}

}
