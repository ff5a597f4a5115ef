package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks on a single daemon thread, which starts with the first task.
 * <ol>
 * <li>Callers submit tasks to a queue. A caller with too little stack left fails before
 * it accesses the queue (see {@link StackProbe}). So no caller damages the queue and
 * thereby blocks the thread or other callers.</li>
 * <li>The thread is started before the first task is added. So no task waits for a thread
 * that could not be started.</li>
 * <li>If a task fails, the failure is logged and the next task runs.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class StoreThread implements StoreExecutor {

	private final ScheduledThreadPoolExecutor executor;

	private final FailureLog failures;

	/**
	 * Create an executor, without starting its thread.
	 * @param generatorName the name of the generator, which becomes part of the name of
	 * the thread
	 */
	public StoreThread(String generatorName) {
		this((task) -> {
			// do not inherit thread locals, because they belong to the caller that
			// submits the first task
			Thread thread = new Thread(null, task, "ids-store-" + generatorName, 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(StoreThread.class.getClassLoader());
			return thread;
		}, new FailureLog(generatorName, TimeSource.system()));
	}

	StoreThread(ThreadFactory threads, FailureLog failures) {
		this.failures = failures;
		this.executor = new ScheduledThreadPoolExecutor(1, threads);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	@Override
	public void execute(Runnable task) {
		executeLater(Duration.ZERO, task);
	}

	@Override
	public void executeLater(Duration delay, Runnable task) {
		StackProbe.verify();
		this.executor.prestartCoreThread();
		// a concurrent close() cancels a delayed task instead of rejecting it
		if (this.executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS).isCancelled()) {
			throw new RejectedExecutionException("The executor was closed.");
		}
	}

	@Override
	public void close() {
		this.executor.shutdown();
	}

	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			// log the failure here, because the executor would discard it
			this.failures.log("a task that accesses the store has failed", ex);
		}
	}

}
