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
	 * Let the calling thread wait until something has happened.
	 * @param event ends when it has. No future: on a thread of a pool that forks, to wait
	 * for one means to run other tasks, for as long as those take
	 * @param atMost how long to wait
	 */
	void await(Await event, Duration atMost) throws InterruptedException;

	/**
	 * Parks threads.
	 *
	 * @param timeSource knows how long threads sleep
	 */
	record Parking(TimeSource timeSource) implements Sleeper {

		@Override
		public void sleep(Duration time) throws InterruptedException {
			this.timeSource.sleep(time);
		}

		@Override
		@SuppressWarnings("ResultOfMethodCallIgnored") // the caller looks at the time
		public void await(Await event, Duration atMost) throws InterruptedException {
			event.await(atMost);
		}

	}

}
