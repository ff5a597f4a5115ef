package dev.idspring.benchmarks.store;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * One way to get ids from a database.
 */
interface Contestant {

	/**
	 * Return how it is called in the results.
	 */
	String name();

	/**
	 * Return whether it can do with a server.
	 */
	default boolean supports(Server server) {
		return true;
	}

	/**
	 * Return how much longer it is used before it is measured.
	 */
	default Duration rampUp() {
		return Duration.ZERO;
	}

	/**
	 * Make everything that is there before the first id is wanted: tables, and what an
	 * application has anyway.
	 * @param network the way to the database
	 * @param keySpace a name that was not used before
	 */
	Source open(Network network, String keySpace);

	/**
	 * What ids are drawn from.
	 */
	interface Source extends AutoCloseable {

		/**
		 * Draw the first id, with all that has to be made before there are ids.
		 * @return how long that took, in nanoseconds
		 */
		default long timeToFirstId() {
			long started = System.nanoTime();
			caller().getAsLong();
			return System.nanoTime() - started;
		}

		/**
		 * Return what one thread draws from.
		 */
		LongSupplier caller();

		/**
		 * Return how many ids have been reserved in the database.
		 */
		long reserved();

		/**
		 * Return how often a caller found no id in memory, if that is known.
		 */
		default OptionalLong exhaustions() {
			return OptionalLong.empty();
		}

		@Override
		void close();

	}

}
