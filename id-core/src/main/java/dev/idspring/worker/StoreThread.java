package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A single daemon thread, which starts with the first task.
 * <ol>
 * <li>Callers submit tasks. A caller that overflows its stack does so before it touches
 * the queue ({@link StackProbe}), so it cannot block the thread or other callers.</li>
 * <li>The thread is started before the first task is added, so no task waits for a thread
 * that could not be started.</li>
 * <li>A task that fails is logged, and the next one runs.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class StoreThread implements StoreExecutor {

	private final ScheduledThreadPoolExecutor executor;

	private final FailureLog failures;

	/**
	 * Create a thread.
	 * @param generatorName becomes part of the name of the thread
	 */
	public StoreThread(String generatorName) {
		this((task) -> {
			// no inherited thread locals: they belong to the first caller
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
		if (this.executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS).isCancelled()) {
			throw new RejectedExecutionException("closed meanwhile");
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
			// the next task runs regardless
			this.failures.log("a task of the thread that talks to the store has failed", ex);
		}
	}

}
