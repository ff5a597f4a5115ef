package dev.idspring.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.idspring.clock.TimeSource;

/**
 * How threads wait. A seam for tests.
 */
interface Pause {

	/**
	 * Let the calling thread sleep.
	 */
	void sleep(Duration time) throws InterruptedException;

	/**
	 * Let the calling thread wait until something has happened.
	 * @param event is completed when it has
	 * @param atMost how long to wait
	 */
	void await(CompletableFuture<?> event, Duration atMost) throws InterruptedException;

	/**
	 * Parks threads.
	 *
	 * @param timeSource knows how long threads sleep
	 */
	record Parking(TimeSource timeSource) implements Pause {

		@Override
		public void sleep(Duration time) throws InterruptedException {
			this.timeSource.sleep(time);
		}

		@Override
		public void await(CompletableFuture<?> event, Duration atMost) throws InterruptedException {
			try {
				event.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				// whoever waits looks at the time
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("What is waited for happens, it does not fail", ex);
			}
		}

	}

}
