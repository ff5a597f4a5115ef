package dev.idspring.time;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Expires a reading of the clock a millisecond after it was taken.
 * <p>
 * Reading the clock takes several times as long as the rest of an id. Callers that draw
 * many ids in a millisecond therefore share one reading until this ticker expires it. The
 * ticker's thread runs only during bursts and a tenth of a second longer. Nothing wakes
 * up while few or no ids are drawn, and there is nothing to close. Several generators may
 * share one ticker.
 * <p>
 * The ticker only keeps the times of ids recent. Uniqueness and order do not depend on
 * it.
 *
 * @since 0.1.0
 */
public final class ClockTicker {

	private static final long TICK_NANOS = Duration.ofMillis(1).toNanos();

	/** After this many ticks without a burst, a sequence is no longer watched. */
	static final int IDLE_TICKS = 100;

	/**
	 * After a thread failed to start, this many requests for one are skipped: each
	 * attempt is slow, and the JVM logs a warning.
	 */
	static final int SKIPPED_STARTS = 10_000;

	private final Executor threads;

	/** Created in advance, so that callers need no stack for it. */
	private final Runnable loop = this::run;

	private final Set<Watched> watched = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean running = new AtomicBoolean();

	/** How many thread starts to skip. Only a hint, so races do not matter. */
	private volatile int startsToSkip;

	/**
	 * Create a ticker. No thread starts before the first burst.
	 */
	public ClockTicker() {
		this((task) -> {
			// no inherited thread locals: they belong to the first caller
			Thread thread = new Thread(null, task, "ids-ticker", 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(ClockTicker.class.getClassLoader());
			thread.start();
		});
	}

	/**
	 * Create a ticker with the given threads.
	 */
	ClockTicker(Executor threads) {
		this.threads = threads;
	}

	/**
	 * Expire the shared reading of a sequence at the next tick or, if no thread is
	 * available, at once. Does nothing if the sequence is watched already.
	 */
	void watch(Watched sequence) {
		if (this.startsToSkip > 0) {
			this.startsToSkip--;
			sequence.expire();
			return;
		}
		this.watched.add(sequence);
		if (!this.running.get() && this.running.compareAndSet(false, true)) {
			start();
		}
	}

	private void start() {
		try {
			this.threads.execute(this.loop);
		}
		catch (Throwable ex) {
			// no memory for a thread: the caller still gets its id
			this.startsToSkip = SKIPPED_STARTS;
			abandon();
		}
	}

	private void run() {
		try {
			do {
				while (tick()) {
					LockSupport.parkNanos(this, TICK_NANOS);
					// an interrupt must not make this thread spin
					Thread.interrupted();
				}
				this.running.set(false);
				// a caller may have relied on this thread in between
			}
			while (!this.watched.isEmpty() && this.running.compareAndSet(false, true));
		}
		catch (Throwable ex) {
			abandon();
			throw ex;
		}
	}

	/**
	 * Expire the readings of all watched sequences, because there is no thread.
	 */
	private void abandon() {
		// first, so that a later caller starts another thread
		this.running.set(false);
		for (Watched sequence : this.watched) {
			this.watched.remove(sequence);
			sequence.expire();
		}
	}

	/**
	 * Expire all shared readings.
	 * @return whether any sequence is still watched
	 */
	boolean tick() {
		for (Watched sequence : this.watched) {
			if (sequence.expire() > IDLE_TICKS) {
				this.watched.remove(sequence);
				if (sequence.isFresh()) {
					// a caller found it watched just before
					this.watched.add(sequence);
				}
			}
		}
		return !this.watched.isEmpty();
	}

	/**
	 * A sequence that uses a reading of the clock for more than one id.
	 */
	interface Watched {

		/**
		 * Have the clock read again.
		 * @return how many calls in a row found no shared reading
		 */
		int expire();

		/**
		 * Return whether a shared reading is in use.
		 */
		boolean isFresh();

	}

}
