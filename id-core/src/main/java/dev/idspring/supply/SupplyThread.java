package dev.idspring.supply;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A single daemon thread.
 *
 * @since 0.1.0
 */
public final class SupplyThread implements Supply {

	private final ScheduledThreadPoolExecutor executor;

	/**
	 * Create a supply.
	 * @param generatorName becomes part of the name of the thread
	 */
	public SupplyThread(String generatorName) {
		this((task) -> {
			// no inherited thread locals: they belong to whoever came first
			Thread thread = new Thread(null, task, "ids-supply-" + generatorName, 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(SupplyThread.class.getClassLoader());
			return thread;
		});
	}

	SupplyThread(ThreadFactory threads) {
		this.executor = new ScheduledThreadPoolExecutor(1, threads);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.executor.setRemoveOnCancelPolicy(true);
	}

	@Override
	public void execute(Runnable task) {
		executeLater(Duration.ZERO, task);
	}

	@Override
	public void executeLater(Duration delay, Runnable task) {
		Given given = new Given(task);
		try {
			this.executor.schedule(given, delay.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (Throwable ex) {
			// the executor keeps the task if it is a thread that could not be started
			given.withdraw();
			throw ex;
		}
	}

	@Override
	public void close() {
		this.executor.shutdown();
	}

	/**
	 * A task, until it is withdrawn.
	 */
	private static final class Given implements Runnable {

		private volatile @Nullable Runnable task;

		Given(Runnable task) {
			this.task = task;
		}

		void withdraw() {
			this.task = null;
		}

		@Override
		public void run() {
			Runnable task = this.task;
			if (task != null) {
				task.run();
			}
		}

	}

}
