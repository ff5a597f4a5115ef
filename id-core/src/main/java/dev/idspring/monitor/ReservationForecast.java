package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.IdGenerationException;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.UsageHistory.ReservationRate;
import dev.idspring.monitor.UsageHistory.Sample;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the rate at which all instances together reserve keys, and projects when the
 * key space will be used up. The estimate uses the history in the store. Without a stored
 * history, it uses the observations of this instance.
 * <p>
 * A sample of the history is the number of reserved keys at a point in time. Instances
 * that reserve keys add samples. If several instances add a sample at the same time, one
 * succeeds, which is sufficient. Failures are not reported, because no id depends on a
 * sample. The next call of {@link #addSample} retries.
 *
 * @since 0.1.0
 */
public final class ReservationForecast {

	private static final long SHORTEST_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

	private static final long LONGEST_PAUSE_NANOS = Duration.ofHours(1).toNanos();

	private final String keySpaceName;

	private final UsageHistory.@Nullable Store store;

	private final TimeSource timeSource;

	/** The time of the next sample, as a reading of the monotonic clock. */
	private final AtomicLong nextSample;

	private volatile @Nullable LastRead lastRead;

	private volatile @Nullable Observation observation;

	/**
	 * Create a forecast that has no data yet. This constructor does no I/O.
	 * @param keySpaceName the name of the key space
	 * @param store the store of the history, or {@code null} to use only the observations
	 * of this instance
	 * @param timeSource the clocks of the machine
	 */
	public ReservationForecast(String keySpaceName, UsageHistory.@Nullable Store store, TimeSource timeSource) {
		this.keySpaceName = keySpaceName;
		this.store = store;
		this.timeSource = timeSource;
		this.nextSample = new AtomicLong(timeSource.nanoTime());
	}

	/**
	 * Return whether a call of {@link #addSample} is due. If several threads call this
	 * method at the same time, only one gets {@code true}.
	 * @return {@code true} if the caller should add a sample
	 */
	public boolean isSampleDue() {
		long now = this.timeSource.nanoTime();
		long due = this.nextSample.get();
		return now - due >= 0 && this.nextSample.compareAndSet(due, now + SHORTEST_PAUSE_NANOS);
	}

	/**
	 * Add a sample to the history if one is due. This method calls the store.
	 * @param reserved how many keys all instances have reserved, according to the store
	 * @param deadline the time by which the operation must end
	 */
	public void addSample(long reserved, Deadline deadline) {
		addSample(reserved, 1, deadline);
	}

	/**
	 * Add a sample to the history if one is due. This method calls the store.
	 * @param reserved how many keys all instances have reserved, according to the store
	 * @param samplingFactor multiplies the usual pause before the next sample, up to an
	 * hour; more than 1 if many instances add samples
	 * @param deadline the time by which the operation must end
	 */
	public void addSample(long reserved, long samplingFactor, Deadline deadline) {
		observe(reserved);
		try {
			StoredHistory stored = read(deadline);
			UsageHistory history = stored.history();
			if (history.isDue(stored.readAt())) {
				UsageHistory extendedHistory = history.with(new Sample(stored.readAt(), reserved));
				if (this.store != null) {
					this.store.replaceHistory(this.keySpaceName, history, extendedHistory, deadline);
				}
				history = extendedHistory;
				remember(new StoredHistory(history, stored.readAt()));
			}
			long untilDue = history.untilDue(stored.readAt()).toNanos();
			this.nextSample.set(this.timeSource.nanoTime()
					+ Math.min(LONGEST_PAUSE_NANOS, Math.max(SHORTEST_PAUSE_NANOS, untilDue) * samplingFactor));
		}
		catch (IdGenerationException ex) {
			// the next call of this method retries
		}
	}

	/**
	 * Read the history, without adding a sample. This method calls the store.
	 * @param reserved how many keys all instances have reserved, according to the store
	 * @param deadline the time by which the operation must end
	 */
	public void readHistory(long reserved, Deadline deadline) {
		observe(reserved);
		try {
			read(deadline);
		}
		catch (IdGenerationException ex) {
			// keep the history that was read before
		}
	}

	private StoredHistory read(Deadline deadline) {
		StoredHistory stored = (this.store != null) ? this.store.readHistory(this.keySpaceName, deadline).orElse(null)
				: null;
		if (stored == null) {
			LastRead lastRead = this.lastRead;
			stored = new StoredHistory((lastRead != null) ? lastRead.stored.history() : UsageHistory.empty(),
					this.timeSource.instant());
		}
		remember(stored);
		return stored;
	}

	private void remember(StoredHistory stored) {
		this.lastRead = new LastRead(stored, this.timeSource.nanoTime());
	}

	/**
	 * Record how many keys are reserved. This method does no I/O.
	 * @param reserved how many keys all instances have reserved, as far as this instance
	 * knows
	 */
	public void observe(long reserved) {
		this.observation = new Observation(reserved, this.timeSource.nanoTime());
	}

	/**
	 * Return the rate at which keys are reserved. This method does no I/O.
	 * @return the rate, or {@code null} if it is not known yet
	 */
	public @Nullable ReservationRate rate() {
		LastRead lastRead = this.lastRead;
		Observation observation = this.observation;
		if (lastRead == null || observation == null) {
			return null;
		}
		Instant at = lastRead.stored.readAt().plusNanos(observation.nanos - lastRead.nanos);
		return lastRead.stored.history().rate(new Sample(at, observation.reserved));
	}

	/**
	 * Project when the key space will be used up. This method does no I/O.
	 * @param capacity the number of keys of the key space
	 * @param reserved how many keys are reserved
	 * @return the snapshot of the key space
	 */
	public KeySpaceSnapshot snapshot(long capacity, long reserved) {
		return KeySpaceSnapshot.project(this.keySpaceName, capacity, reserved, rate(), this.timeSource.instant());
	}

	/**
	 * The history that was last read, and the reading of the monotonic clock at that
	 * time.
	 */
	private record LastRead(StoredHistory stored, long nanos) {

	}

	/**
	 * How many keys were reserved at a reading of the monotonic clock.
	 */
	private record Observation(long reserved, long nanos) {

	}

}
