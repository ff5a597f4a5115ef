package dev.idspring.benchmarks.faults;

import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Draws the ids of one compared generator ({@link Peer}) in one instance of an
 * application.
 */
public interface IdSource extends AutoCloseable {

	/**
	 * Draw an id. If the id is a number, the number is the lower half of the result.
	 */
	UUID next() throws Exception;

	@Override
	default void close() {
		// nothing to close
	}

	/**
	 * Return a source that need not be closed.
	 */
	static IdSource of(LongSupplier numbers) {
		return () -> new UUID(0, numbers.getAsLong());
	}

	/**
	 * Return a source that runs an action when it is closed.
	 */
	static IdSource of(LongSupplier numbers, Runnable onClose) {
		return new IdSource() {

			@Override
			public UUID next() {
				return new UUID(0, numbers.getAsLong());
			}

			@Override
			public void close() {
				onClose.run();
			}

		};
	}

}
