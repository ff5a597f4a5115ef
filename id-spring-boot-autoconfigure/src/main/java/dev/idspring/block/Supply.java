package dev.idspring.block;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The one thread of a generator that talks to the store, one task after the other. A seam
 * for tests; in production it is a {@link SupplyThread}.
 */
interface Supply extends Executor, AutoCloseable {

	/**
	 * Run a task later. A task that has not begun when the supply closes is dropped.
	 */
	void executeLater(Duration delay, Runnable task);

	/**
	 * Accept no more tasks. Those that wait for their turn are still run.
	 */
	@Override
	void close();

}
