package dev.idspring.worker;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * An event that happens once, and the threads that wait for it. A thread that leaves
 * early, even by a StackOverflowError, does not prevent others from being woken: each is
 * added in one step, and all are woken at once. In a {@code CountDownLatch} the threads
 * wake each other in a chain, which such a thread would break.
 *
 * @since 0.1.0
 */
public final class Await {

	private final Queue<Thread> waiters = new ConcurrentLinkedQueue<>();

	private final TimeSource clock = TimeSource.system();

	private volatile boolean over;

	/**
	 * Wake all waiting threads. Further calls do nothing.
	 */
	public void end() {
		// first, as it cannot fail: a thread that checks again after a pause then sees it
		this.over = true;
		for (Thread waiter : this.waiters) {
			LockSupport.unpark(waiter);
		}
	}

	/**
	 * Return whether the event has happened.
	 * @return {@code true} if it has
	 */
	public boolean isOver() {
		return this.over;
	}

	/**
	 * Wait for the event: parked, bounded, interruptible.
	 * @param atMost how long to wait
	 * @return whether it has happened
	 * @throws InterruptedException if the thread is interrupted, and the event has not
	 * happened
	 */
	public boolean await(Duration atMost) throws InterruptedException {
		if (this.over) {
			return true;
		}
		long end = this.clock.nanoTime() + atMost.toNanos();
		this.waiters.add(Thread.currentThread());
		while (!this.over) {
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			long left = end - this.clock.nanoTime();
			if (left <= 0) {
				return false;
			}
			LockSupport.parkNanos(this, left);
		}
		return true;
	}

}
