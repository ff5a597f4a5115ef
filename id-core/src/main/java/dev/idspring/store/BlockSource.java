package dev.idspring.store;

import java.time.Duration;
import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the blocks for the callers of one generator: from a counter that all instances
 * share, or from a series that one writer owns for a while.
 * <p>
 * One thread, outside any transaction, calls all methods that access the store. A range
 * that {@link #reserve reserve} returned is durable. No ordinal of it is ever returned
 * again, unless it was given back.
 *
 * @since 0.1.0
 */
public interface BlockSource {

	/**
	 * Reserve ordinals.
	 * @param count how many are wanted, at least 1
	 * @param deadline how long this may take
	 * @return consecutive ordinals; fewer than requested if no more are contiguous, empty
	 * if none is left
	 * @throws IdStoreUnavailableException if the store did not answer in time, or the
	 * outcome is unknown
	 * @throws KeySpaceRegressionException if the store went backwards: no further ids may
	 * be issued
	 */
	OrdinalRange reserve(long count, Deadline deadline);

	/**
	 * Give back ordinals that were reserved but will never be used. This is the last
	 * call.
	 * @param unused the unused ordinals, in no particular order
	 * @param deadline how long this may take
	 * @return how many ordinals are free again; the others are lost
	 * @throws IdStoreUnavailableException if the store did not answer in time, or the
	 * outcome is unknown
	 */
	long giveBack(List<OrdinalRange> unused, Deadline deadline);

	/**
	 * Discard reserved ordinals without giving them back: a clone of this process may
	 * have the same memory.
	 */
	default void dropMemory() {
	}

	/**
	 * Return how many ordinals are left to reserve in the whole key space, as far as is
	 * known. Does no I/O. Called by many threads.
	 * @return zero or more
	 */
	long remaining();

	/**
	 * Return how many ordinals to request next.
	 * @param size how many a block should hold, at least 1
	 * @param inMemory how many are reserved and unused already
	 * @return at least 1
	 */
	default long next(long size, long inMemory) {
		return size;
	}

	/**
	 * Return how often to call {@link #renew renew}.
	 * @return the interval, or {@code null} for never
	 */
	default @Nullable Duration renewalInterval() {
		return null;
	}

	/**
	 * Renew the claim to the reserved ordinals.
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the store went backwards
	 */
	default void renew(Deadline deadline) {
	}

}
