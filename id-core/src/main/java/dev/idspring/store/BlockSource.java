package dev.idspring.store;

import java.time.Duration;
import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Where the blocks come from that serve the callers of one generator: a counter that all
 * instances share, or a series that belongs to one writer for a while.
 * <p>
 * All methods that talk to the store are called by one thread, which is in no
 * transaction. A range that {@link #reserve reserve} returned is durable, and no ordinal
 * of it is ever returned again, unless it was given back.
 *
 * @since 0.1.0
 */
public interface BlockSource {

	/**
	 * Reserve ordinals.
	 * @param count how many would be welcome, at least 1
	 * @param deadline how long this may take
	 * @return consecutive ordinals; fewer than asked for if that is all there are in a
	 * row, empty if none is left
	 * @throws IdStoreUnavailableException if the store did not answer in time, or it
	 * cannot be known whether it did what was asked
	 * @throws KeySpaceRegressionException if the store went backwards: nothing must be
	 * handed out any more
	 */
	OrdinalRange reserve(long count, Deadline deadline);

	/**
	 * Give back what was reserved but will never be used. The last call.
	 * @param unused the unused ordinals, in no particular order
	 * @param deadline how long this may take
	 * @return how many ordinals are free again; the others are lost
	 * @throws IdStoreUnavailableException if the store did not answer in time, or it
	 * cannot be known whether it did what was asked
	 */
	long giveBack(List<OrdinalRange> unused, Deadline deadline);

	/**
	 * Forget what was reserved, without giving it back: a clone of this process may have
	 * the same memory.
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
	 * Return how many ordinals to ask for next.
	 * @param size how many a block should hold, at least 1
	 * @param inMemory how many are reserved and unused already
	 * @return at least 1
	 */
	default long next(long size, long inMemory) {
		return size;
	}

	/**
	 * Return how often {@link #renew renew} wants to be called.
	 * @return the interval, or {@code null} for never
	 */
	default @Nullable Duration renewalInterval() {
		return null;
	}

	/**
	 * Renew the claim to what has been reserved.
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the store went backwards
	 */
	default void renew(Deadline deadline) {
	}

}
