package dev.idspring.time;

import java.time.Duration;

import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.TimeSource;

/**
 * Suspends threads. Tests use another implementation.
 */
interface Sleeper {

	/**
	 * Suspend the calling thread for a given time.
	 */
	void sleep(Duration time) throws InterruptedException;

	/**
	 * Suspend the calling thread until an event happens or the maximum time has passed.
	 * @param event the event. A future is not used, because a fork-join thread that waits
	 * for a future may run other tasks in the meantime, and return long after the maximum
	 * time
	 * @param atMost the maximum time to wait
	 */
	void await(OneTimeEvent event, Duration atMost) throws InterruptedException;

	/**
	 * The default implementation.
	 *
	 * @param timeSource the time source whose {@code sleep} method is used
	 */
	record Parking(TimeSource timeSource) implements Sleeper {

		@Override
		public void sleep(Duration time) throws InterruptedException {
			this.timeSource.sleep(time);
		}

		@Override
		@SuppressWarnings("ResultOfMethodCallIgnored") // the caller checks the deadline
		public void await(OneTimeEvent event, Duration atMost) throws InterruptedException {
			event.await(atMost);
		}

	}

}
