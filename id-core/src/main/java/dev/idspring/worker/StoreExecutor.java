package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The one thread of a generator that talks to the store, one task after the other. A seam
 * for tests; in production it is a {@link StoreThread}.
 * <p>
 * Whatever is thrown at who gives it a task, also an Error because no thread could be
 * started: that task is not run, and the next one may be.
 *
 * @since 0.1.0
 */
public interface StoreExecutor extends Executor, AutoCloseable {

	/**
	 * Run a task later. A task that has not begun when the executor closes is dropped.
	 * @param delay how much later
	 * @param task the task
	 */
	void executeLater(Duration delay, Runnable task);

	/**
	 * Run a task later, if it is taken. What keeps a task from being taken, even an
	 * Error, must neither fail a caller who needs nothing of it, nor keep the same from
	 * being planned another time.
	 * @param delay how much later
	 * @param task the task
	 * @return whether it is taken
	 */
	default boolean plan(Duration delay, Runnable task) {
		try {
			executeLater(delay, task);
			return true;
		}
		catch (Throwable ex) {
			// closed in between, or there was no memory left
			return false;
		}
	}

	/**
	 * Accept no more tasks. Those that wait for their turn are still run.
	 */
	@Override
	void close();

}
