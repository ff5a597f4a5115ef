package dev.idspring.benchmarks.faults;

import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Draws the ids of one peer in one instance of an application.
 */
public interface Ids extends AutoCloseable {

	/**
	 * Draw an id. If the id is a number, it is the lower half of the result.
	 */
	UUID next() throws Exception;

	@Override
	default void close() {
		// nothing to close
	}

	/**
	 * Return ids that need not be closed.
	 */
	static Ids of(LongSupplier numbers) {
		return () -> new UUID(0, numbers.getAsLong());
	}

	/**
	 * Return ids that run an action when they are closed.
	 */
	static Ids of(LongSupplier numbers, Runnable closed) {
		return new Ids() {

			@Override
			public UUID next() {
				return new UUID(0, numbers.getAsLong());
			}

			@Override
			public void close() {
				closed.run();
			}

		};
	}

}
