package dev.idspring.block;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory store that records reservations and attempts to give back ranges. A test
 * can make the store fail, delay it, and limit how much one reservation returns.
 */
class ScriptedStore implements KeySpaceStore {

	final InMemoryKeySpaceStore memory = new InMemoryKeySpaceStore();

	final List<OrdinalRange> reservedRanges = new CopyOnWriteArrayList<>();

	final List<OrdinalRange> givenBackRanges = new CopyOnWriteArrayList<>();

	final AtomicInteger reads = new AtomicInteger();

	volatile @Nullable RuntimeException failure;

	/** The maximum number of ordinals that one reservation returns. */
	volatile long largestGrant = Long.MAX_VALUE;

	volatile Runnable beforeReserve = () -> {
	};

	@Override
	public StoreDescription describe() {
		return this.memory.describe();
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		failIfRequested();
		return this.memory.create(name, definition, capacity, deadline);
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		this.memory.raiseCapacity(name, capacity, deadline);
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		this.beforeReserve.run();
		failIfRequested();
		OrdinalRange range = this.memory.reserve(name, Math.min(count, this.largestGrant), bound, deadline);
		this.reservedRanges.add(range);
		return range;
	}

	@Override
	public void count(String name, long count, Deadline deadline) {
		failIfRequested();
		this.memory.count(name, count, deadline);
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		this.givenBackRanges.add(range);
		failIfRequested();
		return this.memory.giveBack(name, range, deadline);
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		this.reads.incrementAndGet();
		failIfRequested();
		return this.memory.read(name, deadline);
	}

	long nextOrdinal(String name) {
		return this.memory.keySpaces().get(name).nextOrdinal();
	}

	List<Long> reservedSizes() {
		List<Long> sizes = new ArrayList<>();
		this.reservedRanges.forEach((range) -> sizes.add(range.size()));
		return sizes;
	}

	void failIfRequested() {
		if (this.failure != null) {
			throw this.failure;
		}
	}

}
