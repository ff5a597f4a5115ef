package dev.idspring.supply;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

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
		this.executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			// no inherited thread locals: they belong to whoever came first
			Thread thread = new Thread(null, task, "ids-supply-" + generatorName, 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(SupplyThread.class.getClassLoader());
			return thread;
		});
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.executor.setRemoveOnCancelPolicy(true);
	}

	@Override
	public void execute(Runnable task) {
		this.executor.execute(task);
	}

	@Override
	public void executeLater(Duration delay, Runnable task) {
		this.executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void close() {
		this.executor.shutdown();
	}

}
