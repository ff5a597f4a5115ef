package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An event that happens once. Threads can wait for it. If too little stack is left,
 * {@link #await} and {@link #signal} throw a {@link StackOverflowError} before they
 * change anything (see {@link StackProbe}).
 *
 * @since 0.1.0
 */
public final class OneTimeEvent {

	private final CountDownLatch event = new CountDownLatch(1);

	/**
	 * Signal the event, and wake all waiting threads. Further calls have no effect.
	 * @throws StackOverflowError if too little stack is left to signal the event
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
	 * Wait for the event. The thread is parked until the event happens, the timeout
	 * elapses, or the thread is interrupted.
	 * @param atMost the maximum time to wait
	 * @return whether the event has happened
	 * @throws InterruptedException if the thread is interrupted before the event happens
	 * @throws StackOverflowError if too little stack is left to wait
	 */
	public boolean await(Duration atMost) throws InterruptedException {
		if (hasHappened()) {
			return true;
		}
		StackProbe.verify();
		return this.event.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
	}

}
