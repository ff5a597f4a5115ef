package dev.idspring.time;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends, a millisecond after it was taken, what a reading of the clock is good for.
 * <p>
 * Reading the clock takes several times as long as the rest of an id. A caller that draws
 * many ids in a millisecond therefore does not read it for each of them, and has this
 * ticker say when it has to be read again. Its thread is there only while ids are drawn
 * in bursts, and a tenth of a second longer: nothing wakes up while no id is drawn, or
 * few are drawn, and there is nothing to close. One ticker serves as many generators as
 * share it.
 * <p>
 * Nothing of this makes ids unique, nor times rise: it keeps the times recent that ids
 * carry.
 *
 * @since 0.1.0
 */
public final class ClockTicker {

	private static final long TICK_NANOS = Duration.ofMillis(1).toNanos();

	/** After so many ticks without a burst a sequence is not looked after any more. */
	static final int PATIENCE = 100;

	/**
	 * When no thread can be started, so many times that one is needed pass until it is
	 * tried again: each attempt is slow, and the JVM complains about it.
	 */
	static final int RESPITE = 10_000;

	private final Executor threads;

	/** Made beforehand, so that callers need no stack for that. */
	private final Runnable loop = this::run;

	private final Set<Watched> watched = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean running = new AtomicBoolean();

	/** How often not to try to start a thread; a hint, so it does not matter who wins. */
	private volatile int respite;

	/**
	 * Create a ticker. No thread is started before there is a burst.
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
	 * Create a ticker with threads of one's own.
	 */
	ClockTicker(Executor threads) {
		this.threads = threads;
	}

	/**
	 * Keep a sequence that has just taken a ready reading from staying with it: without a
	 * thread that ends the reading it returns to the clock at once. Does nothing if the
	 * sequence is watched already.
	 */
	void watch(Watched sequence) {
		if (this.respite > 0) {
			this.respite--;
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
			// no memory for a thread: that must not cost the caller its id
			this.respite = RESPITE;
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
				// a caller may have relied on it in between
			}
			while (!this.watched.isEmpty() && this.running.compareAndSet(false, true));
		}
		catch (Throwable ex) {
			abandon();
			throw ex;
		}
	}

	/**
	 * Leave all to the clock that relied on a thread which is not there.
	 */
	private void abandon() {
		// first, so that who comes later starts another one
		this.running.set(false);
		for (Watched sequence : this.watched) {
			this.watched.remove(sequence);
			sequence.expire();
		}
	}

	/**
	 * End what the readings at hand are good for.
	 * @return whether there is anything to watch any more
	 */
	boolean tick() {
		for (Watched sequence : this.watched) {
			if (sequence.expire() > PATIENCE) {
				this.watched.remove(sequence);
				if (sequence.isFresh()) {
					// its owner has found it watched, just before
					this.watched.add(sequence);
				}
			}
		}
		return !this.watched.isEmpty();
	}

	/**
	 * What goes by readings of the clock that were taken for something else.
	 */
	interface Watched {

		/**
		 * Let the clock be read again.
		 * @return how often there was no need to, one after the other
		 */
		int expire();

		/**
		 * Return whether a reading is in use that was taken for something else.
		 */
		boolean isFresh();

	}

}
