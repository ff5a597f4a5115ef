package dev.idspring.block;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A single daemon thread.
 */
final class SupplyThread implements Supply {

	private final ScheduledThreadPoolExecutor executor;

	SupplyThread(String generatorName) {
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
