package dev.idspring.time;

import java.time.Duration;

import dev.idspring.worker.Await;
import dev.idspring.worker.TimeSource;

/**
 * Lets threads wait. Tests replace the implementation.
 */
interface Sleeper {

	/**
	 * Let the calling thread sleep.
	 */
	void sleep(Duration time) throws InterruptedException;

	/**
	 * Let the calling thread wait for an event.
	 * @param event the event. It is not a future, because a thread of a fork-join pool
	 * that waits for a future may run other tasks first, which can take arbitrarily long
	 * @param atMost the maximum time to wait
	 */
	void await(Await event, Duration atMost) throws InterruptedException;

	/**
	 * The default implementation.
	 *
	 * @param timeSource lets threads sleep
	 */
	record Parking(TimeSource timeSource) implements Sleeper {

		@Override
		public void sleep(Duration time) throws InterruptedException {
			this.timeSource.sleep(time);
		}

		@Override
		@SuppressWarnings("ResultOfMethodCallIgnored") // the caller checks the deadline
		public void await(Await event, Duration atMost) throws InterruptedException {
			event.await(atMost);
		}

	}

}
