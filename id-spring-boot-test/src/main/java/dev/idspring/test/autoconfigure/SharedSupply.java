package dev.idspring.test.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreThread;

/**
 * One thread for all sources of a generator, so that what they ask of the store comes in
 * the order in which they ask.
 */
final class SharedSupply implements IntFunction<StoreExecutor> {

	private final StoreThread thread;

	private final AtomicInteger shares = new AtomicInteger();

	SharedSupply(String generatorName) {
		this.thread = new StoreThread(generatorName);
	}

	@Override
	public StoreExecutor apply(int number) {
		this.shares.incrementAndGet();
		return new Share();
	}

	/**
	 * What one source sees of the thread, which ends with the last of them.
	 */
	private final class Share implements StoreExecutor {

		@Override
		public void execute(Runnable task) {
			SharedSupply.this.thread.execute(task);
		}

		@Override
		public void executeLater(Duration delay, Runnable task) {
			SharedSupply.this.thread.executeLater(delay, task);
		}

		@Override
		public void close() {
			if (SharedSupply.this.shares.decrementAndGet() == 0) {
				SharedSupply.this.thread.close();
			}
		}

	}

}
