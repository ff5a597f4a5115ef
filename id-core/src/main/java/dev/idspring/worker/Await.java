package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An event that happens once, and that threads can wait for. A thread with too little
 * stack left fails before it joins the waiting threads, see {@link StackProbe}.
 *
 * @since 0.1.0
 */
public final class Await {

	private final CountDownLatch event = new CountDownLatch(1);

	/**
	 * Signal the event, and wake all waiting threads. Further calls have no effect.
	 */
	public void signal() {
		StackProbe.verify();
		this.event.countDown();
	}

	/**
	 * Return whether the event has happened.
	 * @return {@code true} if it has
	 */
	public boolean hasHappened() {
		return this.event.getCount() == 0;
	}

	/**
	 * Wait for the event. The thread is parked until the event happens, the time is over,
	 * or the thread is interrupted.
	 * @param atMost the maximum time to wait
	 * @return whether the event has happened
	 * @throws InterruptedException if the thread is interrupted before the event happens
	 */
	public boolean await(Duration atMost) throws InterruptedException {
		if (hasHappened()) {
			return true;
		}
		StackProbe.verify();
		return this.event.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
	}

}
