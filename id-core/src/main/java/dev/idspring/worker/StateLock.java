package dev.idspring.worker;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for short sections of code that only access memory. The lock stays usable when a
 * section ends with a StackOverflowError at any depth (see {@link StackProbe}). A section
 * may stop halfway when the stack overflows. It must therefore order its writes so that
 * stopping after any of them is harmless. Sections do no I/O and do not wait.
 *
 * @since 0.1.0
 */
public final class StateLock {

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Acquire the lock. Sections may nest.
	 */
	public void lock() {
		// the probe of the outer section covers nested ones
		if (!this.lock.isHeldByCurrentThread()) {
			StackProbe.verify();
		}
		this.lock.lock();
	}

	/**
	 * Release the lock. Call this method in a {@code finally} block.
	 */
	public void unlock() {
		this.lock.unlock();
	}

}
