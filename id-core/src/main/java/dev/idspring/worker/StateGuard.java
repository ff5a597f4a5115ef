package dev.idspring.worker;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A lock for short sections of memory operations, which stays usable when a section ends
 * with a StackOverflowError at any depth ({@link StackProbe}). A section that overflows
 * may end half-done, so it must order its writes accordingly. Sections do no I/O and do
 * not wait.
 *
 * @since 0.1.0
 */
public final class StateGuard {

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Run a section while no other thread runs one. Sections may nest.
	 * @param section what to run
	 */
	public void run(Runnable section) {
		StackProbe.verify();
		this.lock.lock();
		try {
			section.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Run a section while no other thread runs one. Sections may nest.
	 * @param section what to run
	 * @param <T> the type of its result
	 * @return its result
	 */
	public <T extends @Nullable Object> T call(Supplier<T> section) {
		StackProbe.verify();
		this.lock.lock();
		try {
			return section.get();
		}
		finally {
			this.lock.unlock();
		}
	}

}
