package dev.idspring.redis;

import java.util.Optional;

import dev.idspring.store.KeySpaceStore;
import dev.idspring.worker.Deadline;

/**
 * Keeps key spaces in hashes.
 *
 * @since 0.1.0
 */
public final class RedisKeySpaceStore implements KeySpaceStore {

	private final RedisDatabase database;

	/**
	 * Create a store.
	 * @param database where the key spaces are
	 */
	public RedisKeySpaceStore(RedisDatabase database) {
		this.database = database;
	}

	@Override
	public StoreDescription describe() {
		return this.database.describe();
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void count(String name, long count, Deadline deadline) {
		throw new UnsupportedOperationException();
	}

}
