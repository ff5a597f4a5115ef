package dev.idspring.store;

import java.time.Duration;
import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Supplies blocks of ordinals (positions of ids in their key space) to one generator. The
 * blocks come from a counter that all instances share, or from a series (a range of
 * ordinals that one instance leases).
 * <p>
 * A single thread, outside any transaction, calls all methods that access the store. When
 * {@link #reserve reserve} returns a range, its reservation is durable. No later call
 * returns the same ordinals, unless they were given back.
 *
 * @since 0.1.0
 */
public interface BlockSource {

	/**
	 * Reserve consecutive ordinals.
	 * @param count how many ordinals are requested, at least 1
	 * @param deadline the time by which the operation must end
	 * @return the ordinals, at most as many as requested; an empty range only if no
	 * ordinals are available to this instance now
	 * @throws IdStoreUnavailableException if the store did not answer in time, or if the
	 * outcome is unknown
	 * @throws KeySpaceRegressionException if the store has lost reservations, for example
	 * because a backup was restored; no further ids may then be issued
	 */
	OrdinalRange reserve(long count, Deadline deadline);

	/**
	 * Give back ordinals that were reserved but will never be used. This is the last call
	 * that accesses the store.
	 * @param unused the unused ordinals, in no particular order
	 * @param deadline the time by which the operation must end
	 * @return how many of the ordinals can be reserved again; the others are lost
	 * @throws IdStoreUnavailableException if the store did not answer in time, or if the
	 * outcome is unknown
	 */
	long giveBack(List<OrdinalRange> unused, Deadline deadline);

	/**
	 * Discard what this source has in memory, such as the series that it owns, without
	 * giving back ordinals. This method is called if a clone of this process may have the
	 * same memory.
	 */
	default void dropMemory() {
	}

	/**
	 * Return how many ordinals of the key space are unreserved, as far as this instance
	 * knows. Any thread may call this method, which does no I/O.
	 * @return zero or more
	 */
	long remaining();

	/**
	 * Return whether the key space was used up at the last access to the store. This
	 * method does no I/O.
	 * @return {@code false} if ordinals are left, or if this is unknown before the next
	 * reservation
	 */
	default boolean isUsedUp() {
		return remaining() == 0;
	}

	/**
	 * Return how many ordinals to request next.
	 * @param size the size of a block, at least 1
	 * @param inMemory how many ordinals are reserved but not used yet
	 * @return the number of ordinals, at least 1
	 */
	default long nextCount(long size, long inMemory) {
		return size;
	}

	/**
	 * Return how often to call {@link #renew renew}.
	 * @return the interval, or {@code null} if no renewal is needed
	 */
	default @Nullable Duration renewalInterval() {
		return null;
	}

	/**
	 * Renew the lease on the current series, if there is one.
	 * @param deadline the time by which the operation must end
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the store has lost reservations
	 */
	default void renew(Deadline deadline) {
	}

}
