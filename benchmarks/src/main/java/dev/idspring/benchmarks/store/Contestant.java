package dev.idspring.benchmarks.store;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * A generator under comparison, which reserves ids in a database.
 */
interface Contestant {

	/**
	 * Return the name in the results.
	 */
	String name();

	/**
	 * Return whether the contestant supports a server.
	 */
	default boolean supports(Server server) {
		return true;
	}

	/**
	 * Return how much longer the warm-up of this generator takes than that of others.
	 */
	default Duration rampUp() {
		return Duration.ZERO;
	}

	/**
	 * Create the tables, and the objects that an application creates before it draws its
	 * first id.
	 * @param network the connections to the database
	 * @param keySpace a name that has not been used in this database
	 * @return the source of ids
	 */
	Source open(Network network, String keySpace);

	/**
	 * A source of ids.
	 */
	interface Source extends AutoCloseable {

		/**
		 * Return how long it took to draw the first id. This method draws that id, unless
		 * {@link Contestant#open} has drawn it. By default, the time includes what
		 * {@link #idSupplier} creates, but not what {@code open} has created.
		 * @return the elapsed time in nanoseconds
		 */
		default long timeToFirstId() {
			long started = System.nanoTime();
			idSupplier().getAsLong();
			return System.nanoTime() - started;
		}

		/**
		 * Return a supplier of ids for one thread.
		 */
		LongSupplier idSupplier();

		/**
		 * Return the number of ids that have been reserved in the database.
		 */
		long reserved();

		/**
		 * Return how many times a caller found no id in memory, empty if unknown.
		 */
		default OptionalLong exhaustions() {
			return OptionalLong.empty();
		}

		@Override
		void close();

	}

}
