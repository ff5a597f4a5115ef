package dev.idspring.test.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreThread;

/**
 * One thread for all sources of a generator, so that their requests reach the store in
 * the order in which they are made.
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
	 * The share of one source in the thread, which ends with the last share.
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
