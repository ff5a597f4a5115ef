package dev.idspring.test.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import dev.idspring.worker.Supply;
import dev.idspring.worker.SupplyThread;

/**
 * One thread for all sources of a generator, so that what they ask of the store comes in
 * the order in which they ask.
 */
final class SharedSupply implements IntFunction<Supply> {

	private final SupplyThread thread;

	private final AtomicInteger shares = new AtomicInteger();

	SharedSupply(String generatorName) {
		this.thread = new SupplyThread(generatorName);
	}

	@Override
	public Supply apply(int number) {
		this.shares.incrementAndGet();
		return new Share();
	}

	/**
	 * What one source sees of the thread, which ends with the last of them.
	 */
	private final class Share implements Supply {

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
