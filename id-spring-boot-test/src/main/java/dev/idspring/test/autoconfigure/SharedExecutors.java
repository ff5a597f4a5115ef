package dev.idspring.test.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreThread;

/**
 * Lets all block sources of a generator share one thread. Their requests therefore reach
 * the store in the order in which the sources made them.
 */
final class SharedExecutors implements IntFunction<StoreExecutor> {

	private final StoreThread thread;

	private final AtomicInteger openExecutors = new AtomicInteger();

	SharedExecutors(String generatorName) {
		this.thread = new StoreThread(generatorName);
	}

	@Override
	public StoreExecutor apply(int number) {
		this.openExecutors.incrementAndGet();
		return new SharingExecutor();
	}

	/**
	 * The executor of one block source. It runs tasks on the shared thread. The thread
	 * ends when the last source closes its executor.
	 */
	private final class SharingExecutor implements StoreExecutor {

		@Override
		public void execute(Runnable task) {
			SharedExecutors.this.thread.execute(task);
		}

		@Override
		public void executeLater(Duration delay, Runnable task) {
			SharedExecutors.this.thread.executeLater(delay, task);
		}

		@Override
		public void close() {
			if (SharedExecutors.this.openExecutors.decrementAndGet() == 0) {
				SharedExecutors.this.thread.close();
			}
		}

	}

}
