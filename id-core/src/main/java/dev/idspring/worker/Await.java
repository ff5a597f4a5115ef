package dev.idspring.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * An event that happens once, and the threads that wait for it. A thread that leaves
 * early, also by a StackOverflowError, keeps no other from being woken: each has a node
 * of its own, and all nodes are woken at once. In a {@code CountDownLatch} the threads
 * wake each other in a row, which such a thread would interrupt.
 *
 * @since 0.1.0
 */
public final class Await {

	private final AtomicReference<@Nullable Waiter> waiters = new AtomicReference<>();

	private final TimeSource clock = TimeSource.system();

	private volatile boolean over;

	/**
	 * Wake all who wait. Further calls do nothing.
	 */
	public void end() {
		// first, as it cannot fail: who looks again after a pause is not woken in vain
		this.over = true;
		for (Waiter waiter = this.waiters.getAndSet(null); waiter != null; waiter = waiter.next) {
			LockSupport.unpark(waiter.thread);
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
		add(new Waiter(Thread.currentThread()));
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

	private void add(Waiter waiter) {
		do {
			waiter.next = this.waiters.get();
		}
		while (!this.waiters.compareAndSet(waiter.next, waiter));
	}

	/**
	 * A thread that waits.
	 */
	private static final class Waiter {

		private final Thread thread;

		private @Nullable Waiter next;

		Waiter(Thread thread) {
			this.thread = thread;
		}

	}

}
