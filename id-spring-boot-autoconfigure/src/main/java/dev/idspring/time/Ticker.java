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
 * Reading the clock takes several times as long as the rest of an id. Whoever draws many
 * ids in a millisecond therefore does not read it for each of them, and has this ticker
 * say when it has to be read again. Its thread is there only while ids are drawn in
 * bursts, and a tenth of a second longer: nothing wakes up while nobody draws, or few are
 * drawn, and there is nothing to close. One ticker serves as many generators as share it.
 * <p>
 * Nothing of this makes ids unique, nor times rise: it keeps the times recent that ids
 * carry.
 *
 * @since 0.1.0
 */
public final class Ticker {

	private static final long TICK_NANOS = Duration.ofMillis(1).toNanos();

	/** After so many ticks without a burst a sequence is not looked after any more. */
	static final int PATIENCE = 100;

	private final Executor threads;

	private final Set<Watched> watched = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean running = new AtomicBoolean();

	/**
	 * Create a ticker. No thread is started before there is a burst.
	 */
	public Ticker() {
		this((task) -> {
			// no inherited thread locals: they belong to whoever came first
			Thread thread = new Thread(null, task, "ids-ticker", 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(Ticker.class.getClassLoader());
			thread.start();
		});
	}

	/**
	 * Create a ticker with threads of one's own.
	 */
	Ticker(Executor threads) {
		this.threads = threads;
	}

	/**
	 * See to it that a sequence which has just gone over to a reading that is at hand
	 * does not stay with it. Nothing but looks it up if it is watched already.
	 */
	void watch(Watched sequence) {
		if (this.watched.add(sequence) && this.running.compareAndSet(false, true)) {
			this.threads.execute(this::run);
		}
	}

	private void run() {
		do {
			while (tick()) {
				LockSupport.parkNanos(this, TICK_NANOS);
				// whoever interrupts this thread must not make it spin
				Thread.interrupted();
			}
			this.running.set(false);
			// somebody may have relied on us in between
		}
		while (!this.watched.isEmpty() && this.running.compareAndSet(false, true));
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
