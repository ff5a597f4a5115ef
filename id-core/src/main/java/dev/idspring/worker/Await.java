package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An event that happens once, and the threads that wait for it. A thread that overflows
 * its stack does so before it joins them ({@link StackProbe}).
 *
 * @since 0.1.0
 */
public final class Await {

	private final CountDownLatch event = new CountDownLatch(1);

	/**
	 * Wake all waiting threads. Further calls do nothing.
	 */
	public void end() {
		StackProbe.verify();
		this.event.countDown();
	}

	/**
	 * Return whether the event has happened.
	 * @return {@code true} if it has
	 */
	public boolean isOver() {
		return this.event.getCount() == 0;
	}

	/**
	 * Wait for the event: parked, bounded, interruptible.
	 * @param atMost how long to wait
	 * @return whether it has happened
	 * @throws InterruptedException if the thread is interrupted, and the event has not
	 * happened
	 */
	public boolean await(Duration atMost) throws InterruptedException {
		if (isOver()) {
			return true;
		}
		StackProbe.verify();
		return this.event.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
	}

}
