package dev.idspring.testsupport;

import java.util.Optional;

import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory store that a test can make fail.
 */
public final class FailingKeySpaceStore implements KeySpaceStore {

	private final InMemoryKeySpaceStore delegate = new InMemoryKeySpaceStore();

	private volatile @Nullable RuntimeException failure;

	private volatile Runnable beforeReserve = () -> {
	};

	public void failWith(@Nullable RuntimeException failure) {
		this.failure = failure;
	}

	public void beforeReserve(Runnable beforeReserve) {
		this.beforeReserve = beforeReserve;
	}

	/**
	 * Return the in-memory store, or throw the exception that the test has set.
	 */
	public InMemoryKeySpaceStore delegate() {
		if (this.failure != null) {
			throw this.failure;
		}
		return this.delegate;
	}

	@Override
	public StoreDescription describe() {
		return this.delegate.describe();
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		return delegate().create(name, definition, capacity, deadline);
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		delegate().raiseCapacity(name, capacity, deadline);
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		this.beforeReserve.run();
		return delegate().reserve(name, count, bound, deadline);
	}

	@Override
	public void count(String name, long count, Deadline deadline) {
		this.beforeReserve.run();
		delegate().count(name, count, deadline);
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		return delegate().giveBack(name, range, deadline);
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		return delegate().read(name, deadline);
	}

}
