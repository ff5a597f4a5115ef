package dev.idspring.monitor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.worker.TimeSource;

/**
 * What all generators have in common: their names, their listeners, and the alert when
 * their key space is low.
 *
 * @since 0.1.0
 */
public abstract class AbstractIdGenerator implements ManagedIdGenerator {

	private static final long A_DAY = Duration.ofDays(1).toNanos();

	private final String name;

	private final String strategy;

	private final TimeSource timeSource;

	private final LowThreshold lowThreshold;

	/** When the next alert is due, as a reading of the monotonic clock. */
	private final AtomicLong nextAlert;

	private final Listeners listeners;

	/**
	 * Create a generator.
	 * @param builder says what is common to all
	 */
	protected AbstractIdGenerator(IdGeneratorBuilder<?> builder) {
		this.name = builder.name();
		this.strategy = builder.strategy();
		this.timeSource = builder.timeSource();
		this.lowThreshold = builder.lowThreshold();
		this.nextAlert = new AtomicLong(this.timeSource.nanoTime());
		this.listeners = builder.listeners();
	}

	@Override
	public final String name() {
		return this.name;
	}

	/**
	 * Return how ids are made.
	 * @return the name of the strategy
	 */
	protected final String strategy() {
		return this.strategy;
	}

	/**
	 * Return where time comes from.
	 * @return the source
	 */
	protected final TimeSource timeSource() {
		return this.timeSource;
	}

	/**
	 * Return the listeners of this generator.
	 * @return the listeners
	 */
	protected final Listeners listeners() {
		return this.listeners;
	}

	/**
	 * Take a snapshot of the key space. Does no I/O, and does not take long.
	 * @return how much is left
	 */
	protected abstract KeySpaceSnapshot keySpaceSnapshot();

	/**
	 * Return whether a key space is low.
	 * @param keySpace how much is left
	 * @return whether the threshold is reached
	 */
	protected final boolean isLow(KeySpaceSnapshot keySpace) {
		return this.lowThreshold.isReached(keySpace, this.timeSource.instant());
	}

	/**
	 * Call the listeners if the key space is low, at most once a day.
	 */
	protected final void alertIfLow() {
		long now = this.timeSource.nanoTime();
		long due = this.nextAlert.get();
		if (now - due < 0) {
			return;
		}
		KeySpaceSnapshot keySpace = keySpaceSnapshot();
		if (isLow(keySpace) && this.nextAlert.compareAndSet(due, now + A_DAY)) {
			this.listeners.tell((listener, generator) -> listener.low(generator, keySpace));
		}
	}

	@Override
	public String toString() {
		return "Id generator '" + this.name + "'";
	}

}
