package dev.idspring.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
	 */
	enum Parking implements Pause {

		INSTANCE;

		@Override
		public void sleep(Duration time) throws InterruptedException {
			TimeUnit.NANOSECONDS.sleep(time.toNanos());
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
