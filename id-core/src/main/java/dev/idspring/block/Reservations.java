package dev.idspring.block;

import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.keyspace.RecycledSettings;
import dev.idspring.keyspace.SequentialSettings;
import dev.idspring.monitor.SeriesSnapshot;
import dev.idspring.store.StoredKeySpace;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * How the ordinals of a key space are reserved for one generator, and what is known of
 * the reservations of all instances.
 *
 * @since 0.1.0
 */
public interface Reservations {

	/**
	 * Return where blocks come from.
	 * @return one source, or several for concurrent callers to be spread over
	 */
	List<? extends BlockSource> sources();

	/**
	 * Ask the store how far the key space is reserved by all instances.
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
	 * Return whether an ordinal is reserved without any doubt, so that there is no need
	 * to ask the store.
	 * @param ordinal the ordinal
	 * @return {@code true} if it is
	 */
	default boolean isCertainlyReserved(long ordinal) {
		return false;
	}

	/**
	 * Return what is known of the series of the key space.
	 * @return the series, or {@code null} if there are none
	 */
	default @Nullable SeriesSnapshot series() {
		return null;
	}

	/**
	 * Begins to reserve.
	 */
	interface Factory {

		/**
		 * Begin. May talk to the store.
		 * @param generator the name of the generator
		 * @param stored the key space as the store remembers it
		 * @param keySpace the key space
		 * @param timeSource tells the time
		 * @param deadline how long this may take
		 * @return how ordinals are reserved from now on
		 */
		Reservations open(String generator, StoredKeySpace stored, KeySpace keySpace, TimeSource timeSource,
				Deadline deadline);

		/**
		 * Verify that ordinals of a key space can be reserved in this way. By default any
		 * key space will do in which one counter is shared by all instances.
		 * @param settings what is said about the key space
		 * @throws InvalidSettingException if they would repeat
		 */
		default void verify(KeySpaceSettings settings) {
			InvalidSettingException.require(!(settings instanceof RecycledSettings), BlockIdGenerator.Builder.class,
					"settings", settings, "needs reservations from series");
			if (settings instanceof SequentialSettings numbers) {
				InvalidSettingException.require(numbers.strategy().equals(SequentialSettings.SEQUENTIAL),
						SequentialSettings.class, "strategy", numbers.strategy(),
						"must be sequential where numbers are reserved in blocks");
			}
		}

	}

}
