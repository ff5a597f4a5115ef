package dev.idspring.time;

import java.time.Duration;

import dev.idspring.worker.Await;
import dev.idspring.worker.TimeSource;

/**
 * How threads wait. A seam for tests.
 */
interface Sleeper {

	/**
	 * Let the calling thread sleep.
	 */
	void sleep(Duration time) throws InterruptedException;

	/**
	 * Let the calling thread wait for an event.
	 * @param event ends when it has happened. Not a future: a thread of a fork-join pool
	 * that waits for a future runs other tasks meanwhile, however long they take
	 * @param atMost how long to wait
	 */
	void await(Await event, Duration atMost) throws InterruptedException;

	/**
	 * Parks threads.
	 *
	 * @param timeSource puts threads to sleep
	 */
	record Parking(TimeSource timeSource) implements Sleeper {

		@Override
		public void sleep(Duration time) throws InterruptedException {
			this.timeSource.sleep(time);
		}

		@Override
		@SuppressWarnings("ResultOfMethodCallIgnored") // the caller checks the time
		public void await(Await event, Duration atMost) throws InterruptedException {
			event.await(atMost);
		}

	}

}
