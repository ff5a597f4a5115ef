package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The only thread of a generator that accesses the store, one task at a time. An
 * interface for tests; in production it is a {@link StoreThread}.
 * <p>
 * If submitting a task throws anything, even an Error because no thread could be started,
 * that task does not run. A later one may.
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
	 * Run a task later, if it is accepted. A rejection, even because of an Error, must
	 * neither fail a caller that does not depend on the task, nor prevent the task from
	 * being scheduled again.
	 * @param delay how much later
	 * @param task the task
	 * @return whether it is accepted
	 */
	default boolean plan(Duration delay, Runnable task) {
		try {
			executeLater(delay, task);
			return true;
		}
		catch (Throwable ex) {
			// closed meanwhile, or there was no memory left
			return false;
		}
	}

	/**
	 * Accept no more tasks. Queued tasks still run.
	 */
	@Override
	void close();

}
