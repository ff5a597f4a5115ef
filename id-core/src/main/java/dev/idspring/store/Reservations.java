package dev.idspring.store;

import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.GeneratorSnapshot.SeriesSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ordinals of a key space for one generator, and reports how many ordinals all
 * instances have reserved.
 */
public interface Reservations {

	/**
	 * Return the sources of blocks.
	 * @return one source, or several sources among which concurrent callers are
	 * distributed
	 */
	List<? extends BlockSource> sources();

	/**
	 * Read from the store how many ordinals all instances have reserved.
	 * @param deadline the time by which the operation must end
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the store has lost reservations
	 */
	void refresh(Deadline deadline);

	/**
	 * Return how many ordinals all instances have reserved, as far as this instance
	 * knows.
	 * @return zero or more
	 */
	long reserved();

	/**
	 * Return whether any instance has reserved an ordinal, as far as this instance knows.
	 * @param ordinal the ordinal
	 * @return {@code true} if the ordinal is reserved
	 */
	boolean isReserved(long ordinal);

	/**
	 * Return whether an ordinal is certainly reserved. Unlike {@link #isReserved}, the
	 * result {@code true} is correct even if the known state of the store is outdated, so
	 * callers need not read the store first.
	 * @param ordinal the ordinal
	 * @return {@code true} if the ordinal is certainly reserved, {@code false} if this is
	 * unknown
	 */
	default boolean isCertainlyReserved(long ordinal) {
		return false;
	}

	/**
	 * Return the state of the series of the key space, as far as this instance knows.
	 * @return the series, or {@code null} if the key space has no series
	 */
	default @Nullable SeriesSnapshot series() {
		return null;
	}

	/**
	 * Creates the {@link Reservations} of a key space. A factory may access the store.
	 */
	@FunctionalInterface
	interface Factory {

		Reservations open(OpenedKeySpace opened, Listeners listeners, Deadline deadline);

	}

}
