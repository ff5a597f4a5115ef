package dev.idspring.time;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Expires a shared reading of the clock about a millisecond after it was taken.
 * <p>
 * Reading the clock takes several times as long as the rest of generating an id. In a
 * burst of many ids per millisecond, callers therefore share one reading until this
 * ticker expires it. The thread of the ticker runs only during bursts, and for a tenth of
 * a second afterwards. A ticker need not be closed, because an idle ticker has no thread.
 * Several generators may share one ticker.
 * <p>
 * The ticker affects only how recent the times in ids are. The uniqueness and order of
 * ids do not depend on it.
 *
 * @since 0.1.0
 */
public final class ClockTicker {

	private static final long TICK_NANOS = Duration.ofMillis(1).toNanos();

	/**
	 * The ticker stops watching a sequence of ids after more than this many consecutive
	 * ticks at which the sequence had no shared reading.
	 */
	static final int IDLE_TICKS = 100;

	/**
	 * After a thread failed to start, this many calls of {@link #watch} do not try to
	 * start a thread. Each failed attempt is slow and makes the JVM log a warning.
	 */
	static final int SKIPPED_STARTS = 10_000;

	private final Executor threads;

	/**
	 * Created in advance, so that starting the thread needs less of the caller's stack.
	 */
	private final Runnable loop = this::run;

	private final Set<WatchedSequence> watchedSequences = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean running = new AtomicBoolean();

	/**
	 * How many further calls of {@link #watch} do not try to start a thread. The number
	 * need not be exact.
	 */
	private volatile int startsToSkip;

	/**
	 * Create a ticker. Its thread starts with the first burst.
	 */
	public ClockTicker() {
		this((task) -> {
			// do not inherit thread locals, because they belong to the caller that starts
			// the thread
			Thread thread = new Thread(null, task, "ids-ticker", 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(ClockTicker.class.getClassLoader());
			thread.start();
		});
	}

	/**
	 * Create a ticker that runs on the threads of an executor.
	 */
	ClockTicker(Executor threads) {
		this.threads = threads;
	}

	/**
	 * Expire the shared reading of a sequence at the next tick or, if no thread is
	 * available, immediately. A sequence that is already watched may be passed again.
	 */
	void watch(WatchedSequence sequence) {
		if (this.startsToSkip > 0) {
			this.startsToSkip--;
			sequence.expire();
			return;
		}
		this.watchedSequences.add(sequence);
		if (!this.running.get() && this.running.compareAndSet(false, true)) {
			start();
		}
	}

	private void start() {
		try {
			this.threads.execute(this.loop);
		}
		catch (Throwable ex) {
			// do not rethrow: the caller must get its id even if no thread can be
			// started, for example because memory is low
			this.startsToSkip = SKIPPED_STARTS;
			expireAll();
		}
	}

	private void run() {
		try {
			do {
				while (tick()) {
					LockSupport.parkNanos(this, TICK_NANOS);
					// clear the interrupt status, because parkNanos would return
					// immediately otherwise
					Thread.interrupted();
				}
				this.running.set(false);
				// a caller may have added a sequence before the thread was marked as
				// stopped
			}
			while (!this.watchedSequences.isEmpty() && this.running.compareAndSet(false, true));
		}
		catch (Throwable ex) {
			expireAll();
			throw ex;
		}
	}

	/**
	 * Expire the readings of all watched sequences, and stop watching the sequences,
	 * because no thread will expire their later readings.
	 */
	private void expireAll() {
		// do this first, so that a later caller starts another thread
		this.running.set(false);
		for (WatchedSequence sequence : this.watchedSequences) {
			this.watchedSequences.remove(sequence);
			sequence.expire();
		}
	}

	/**
	 * Expire all shared readings, and stop watching idle sequences.
	 * @return whether any sequence is still watched
	 */
	boolean tick() {
		for (WatchedSequence sequence : this.watchedSequences) {
			if (sequence.expire() > IDLE_TICKS) {
				this.watchedSequences.remove(sequence);
				if (sequence.isFresh()) {
					// a caller may have called watch() just before the removal, when the
					// sequence was still in the set
					this.watchedSequences.add(sequence);
				}
			}
		}
		return !this.watchedSequences.isEmpty();
	}

	/**
	 * A sequence that uses the same reading of the clock for several ids.
	 */
	interface WatchedSequence {

		/**
		 * Expire the shared reading, so that the next id reads the clock again.
		 * @return how many consecutive calls found no shared reading
		 */
		int expire();

		/**
		 * Return whether a shared reading is in use.
		 */
		boolean isFresh();

	}

}
