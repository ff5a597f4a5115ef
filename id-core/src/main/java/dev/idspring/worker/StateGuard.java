package dev.idspring.worker;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Guards short sections of memory operations, and stays usable when a section ends by a
 * StackOverflowError at any depth. A {@code ReentrantLock} does not: the overflow may
 * happen in {@code lock()} after the lock is taken, or again in {@code unlock()}, and
 * then nothing ever releases it.
 * <ol>
 * <li>A thread is inside exactly while {@link #holder} names it, and only that thread
 * writes the field then.</li>
 * <li>The thread is in a local variable and the {@code try} begins before the field is
 * set, so the {@code finally} block runs whenever the field was set.</li>
 * <li>That block consists of a comparison and a store. It calls nothing, so it needs no
 * stack and cannot fail. Therefore a section always releases the guard when it ends, even
 * by an error.</li>
 * <li>Waiting threads need no signal, which could fail: they check again after a short
 * pause. Sections do no I/O and do not wait, so pauses are few.</li>
 * <li>The store is volatile and the next holder reads it by its compare-and-set: what one
 * section wrote happened before the next begins.</li>
 * </ol>
 * A section that overflows may end half-done, so it must order its writes accordingly.
 *
 * @since 0.1.0
 */
public final class StateGuard {

	private static final int SPINS = 64;

	private static final long PAUSE_NANOS = 20_000;

	private static final AtomicReferenceFieldUpdater<StateGuard, @Nullable Thread> HOLDER = AtomicReferenceFieldUpdater
		.newUpdater(StateGuard.class, Thread.class, "holder");

	private volatile @Nullable Thread holder;

	/**
	 * Run a section while no other thread runs one. Sections may nest.
	 * @param section what to run
	 */
	public void run(Runnable section) {
		call(new Section(section));
	}

	/**
	 * Run a section while no other thread runs one. Sections may nest.
	 * @param section what to run
	 * @param <T> the type of its result
	 * @return its result
	 */
	public <T extends @Nullable Object> T call(Supplier<T> section) {
		Thread thread = Thread.currentThread();
		if (this.holder == thread) {
			return section.get();
		}
		try {
			acquire(thread);
			return section.get();
		}
		finally {
			// no call here, see above
			if (this.holder == thread) {
				this.holder = null;
			}
		}
	}

	private void acquire(Thread thread) {
		for (int spins = 0; !HOLDER.compareAndSet(this, null, thread); spins++) {
			if (spins < SPINS) {
				Thread.onSpinWait();
			}
			else {
				LockSupport.parkNanos(this, PAUSE_NANOS);
			}
		}
	}

	/**
	 * A section without a result. Not a lambda: the first caller to link it may overflow
	 * its stack.
	 */
	private record Section(Runnable section) implements Supplier<Boolean> {

		@Override
		public Boolean get() {
			this.section.run();
			return true;
		}

	}

}
