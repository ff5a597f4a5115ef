package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Runs the tasks of a generator that access the store, one task at a time. In production,
 * a {@link StoreThread} runs them. Tests use other implementations.
 * <p>
 * If the submission of a task throws an exception, that task does not run. If the
 * submission throws an Error, for example because no thread could be started, the task
 * usually does not run either. Later tasks may still run.
 *
 * @since 0.1.0
 */
public interface StoreExecutor extends Executor, AutoCloseable {

	/**
	 * Run a task after a delay. A task whose delay has not ended when the executor closes
	 * is dropped.
	 * @param delay how long to wait before the task runs
	 * @param task the task
	 */
	void executeLater(Duration delay, Runnable task);

	/**
	 * Run a task after a delay, if the executor accepts the task. This method never
	 * throws, even if the executor rejects the task. It is for callers that do not depend
	 * on the task.
	 * @param delay how long to wait before the task runs
	 * @param task the task
	 * @return whether the executor has accepted the task
	 */
	default boolean tryExecuteLater(Duration delay, Runnable task) {
		try {
			executeLater(delay, task);
			return true;
		}
		catch (Throwable ex) {
			// the executor was closed in the meantime, or memory is exhausted
			return false;
		}
	}

	/**
	 * Accept no more tasks. Tasks whose delay has ended still run.
	 */
	@Override
	void close();

}
