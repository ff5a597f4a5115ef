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
 * Estimates, from the history in the store, how fast all instances together reserve keys,
 * and so when the key space is used up. Without a stored history, it uses what this
 * instance has observed.
 * <p>
 * Instances that reserve keys add a sample from time to time. Instances that only monitor
 * read the history. If several instances add the same sample, one succeeds, no matter
 * which. Nothing depends on a sample, so a failed attempt is retried later, without a
 * message.
 *
 * @since 0.1.0
 */
public final class ReservationForecast {

	private static final long SHORTEST_PAUSE = Duration.ofMinutes(1).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofHours(1).toNanos();

	private final String keySpaceName;

	private final UsageHistory.@Nullable Store store;

	private final TimeSource timeSource;

	/** When to call the store next. */
	private final AtomicLong nextSample;

	private volatile @Nullable LastRead lastRead;

	private volatile @Nullable Observation observation;

	/**
	 * Create a forecast without data. Does no I/O.
	 * @param keySpaceName the name of the key space
	 * @param store stores the history, or {@code null} to use only what this instance
	 * observes
	 * @param timeSource tells the time
	 */
	public ReservationForecast(String keySpaceName, UsageHistory.@Nullable Store store, TimeSource timeSource) {
		this.keySpaceName = keySpaceName;
		this.store = store;
		this.timeSource = timeSource;
		this.nextSample = new AtomicLong(timeSource.nanoTime());
	}

	/**
	 * Return whether a call of {@link #addSample} is due. Of several threads that call
	 * this at the same time, one gets {@code true}.
	 * @return {@code true} if the caller should call it
	 */
	public boolean isSampleDue() {
		long now = this.timeSource.nanoTime();
		long due = this.nextSample.get();
		return now - due >= 0 && this.nextSample.compareAndSet(due, now + SHORTEST_PAUSE);
	}

	/**
	 * Add a sample to the history if one is due. Calls the store.
	 * @param reserved how many keys all instances have reserved, as just read
	 * @param deadline how long this may take
	 */
	public void addSample(long reserved, Deadline deadline) {
		addSample(reserved, 1, deadline);
	}

	/**
	 * Add a sample to the history if one is due. Calls the store.
	 * @param reserved how many keys all instances have reserved, as just read
	 * @param samplingFactor the factor by which to prolong the usual wait for the next
	 * sample, because other instances add samples too
	 * @param deadline how long this may take
	 */
	public void addSample(long reserved, long samplingFactor, Deadline deadline) {
		observe(reserved);
		try {
			StoredHistory stored = read(deadline);
			UsageHistory history = stored.history();
			if (history.isDue(stored.readAt())) {
				UsageHistory longer = history.with(new Sample(stored.readAt(), reserved));
				if (this.store != null) {
					this.store.replaceHistory(this.keySpaceName, history, longer, deadline);
				}
				history = longer;
				remember(new StoredHistory(history, stored.readAt()));
			}
			long untilDue = history.untilDue(stored.readAt()).toNanos();
			this.nextSample.set(this.timeSource.nanoTime()
					+ Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, untilDue) * samplingFactor));
		}
		catch (IdGenerationException ex) {
			// retried later
		}
	}

	/**
	 * Read the history. Calls the store.
	 * @param reserved how many keys all instances have reserved, as just read
	 * @param deadline how long this may take
	 */
	public void readHistory(long reserved, Deadline deadline) {
		observe(reserved);
		try {
			read(deadline);
		}
		catch (IdGenerationException ex) {
			// what was known is good enough
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
	 * Record how much is reserved. Does no I/O.
	 * @param reserved how many keys all instances have reserved, as far as known
	 */
	public void observe(long reserved) {
		this.observation = new Observation(reserved, this.timeSource.nanoTime());
	}

	/**
	 * Return how fast the key space is being reserved. Does no I/O.
	 * @return the rate, or {@code null} if it is too early to tell
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
	 * Project when the key space will be used up. Does no I/O.
	 * @param capacity how many keys there are
	 * @param reserved how many of them are reserved
	 * @return the snapshot of the key space
	 */
	public KeySpaceSnapshot snapshot(long capacity, long reserved) {
		return KeySpaceSnapshot.project(this.keySpaceName, capacity, reserved, rate(), this.timeSource.instant());
	}

	/**
	 * The history as last read.
	 */
	private record LastRead(StoredHistory stored, long nanos) {

	}

	/**
	 * How much was reserved, and when.
	 */
	private record Observation(long reserved, long nanos) {

	}

}
