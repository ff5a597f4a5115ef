package dev.idspring.store;

import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.GeneratorSnapshot.SeriesSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Reserves the ordinals of a key space for one generator, and reports the known
 * reservations of all instances.
 */
public interface Reservations {

	/**
	 * Return the sources of blocks.
	 * @return one source, or several to spread concurrent callers over
	 */
	List<? extends BlockSource> sources();

	/**
	 * Read from the store how many ordinals all instances have reserved.
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the store went backwards
	 */
	void refresh(Deadline deadline);

	/**
	 * Return how many ordinals are reserved by all instances, as far as is known.
	 * @return zero or more
	 */
	long reserved();

	/**
	 * Return whether an ordinal is reserved by any instance, as far as is known.
	 * @param ordinal the ordinal
	 * @return {@code true} if it is
	 */
	boolean isReserved(long ordinal);

	/**
	 * Return whether an ordinal is definitely reserved, so that there is no need to query
	 * the store.
	 * @param ordinal the ordinal
	 * @return {@code true} if it is
	 */
	default boolean isCertainlyReserved(long ordinal) {
		return false;
	}

	/**
	 * Return the known state of the series of the key space.
	 * @return the series, or {@code null} if there are none
	 */
	default @Nullable SeriesSnapshot series() {
		return null;
	}

	/**
	 * Opens the reservations of a key space. May access the store.
	 */
	@FunctionalInterface
	interface Factory {

		Reservations open(OpenedKeySpace opened, Listeners listeners, Deadline deadline);

	}

}
