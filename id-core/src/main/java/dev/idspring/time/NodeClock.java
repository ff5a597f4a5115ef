package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.ClockException;
import dev.idspring.DurationText;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Computes the time that ids carry from a wall clock that may jump.
 * <ol>
 * <li>The wall clock is compared with the store's before a node is claimed, and whenever
 * one is claimed or renewed. In between it is compared with a clock that never jumps:
 * since the last comparison, both should have advanced equally.</li>
 * <li>While the wall clock is within the bound, ids carry its time, except that their
 * time never goes back. If the wall clock does, their time continues as if it had not.
 * From the next comparison on, it runs at half speed until the wall clock has caught
 * up.</li>
 * <li>Beyond the bound the clock is not trusted, and moves nothing, until it is within
 * the bound again or the store agrees with it. The store confirms only the reading that
 * was compared: a clock that jumped while the store answered differs from it.</li>
 * </ol>
 * Thread-safe. Only the times of ids depend on this class, not their uniqueness.
 */
final class NodeClock {

	private static final long JUMP_MILLIS = 1_000;

	/**
	 * Readings of the two clocks at most this far apart count as simultaneous.
	 */
	private static final long SAME_TIME_NANOS = 10_000_000;

	private static final int ATTEMPTS = 3;

	/** Time zones differ by whole quarters of an hour. */
	private static final long ZONE_STEP_MILLIS = Duration.ofMinutes(15).toMillis();

	/** From the west to the east of the date line. */
	private static final long LARGEST_ZONE_DIFFERENCE_MILLIS = Duration.ofHours(26).toMillis();

	/** The tolerance for such a difference, because clocks are not exact. */
	private static final long ZONE_TOLERANCE_MILLIS = Duration.ofMinutes(1).toMillis();

	/** A slewed clock is wrong by at most one part in this number. */
	private static final int SLEW = 1_000;

	/** How often a clock without a store is compared with itself. */
	private static final long SELF_COMPARISON_NANOS = Duration.ofSeconds(10).toNanos();

	private final TimeSource timeSource;

	private final Duration maxSkew;

	private final boolean withoutStore;

	private final AtomicReference<Reading> last;

	private final AtomicLong jumps = new AtomicLong();

	private volatile @Nullable Duration skew;

	/** Whether the last comparison found the clock beyond the bound. */
	private volatile boolean beyondBound;

	/**
	 * Create a clock.
	 * @param timeSource the clocks of the machine
	 * @param maxSkew the tolerance of the wall clock
	 * @param withoutStore whether there is no store to compare it with
	 */
	NodeClock(TimeSource timeSource, Duration maxSkew, boolean withoutStore) {
		this.timeSource = timeSource;
		this.maxSkew = maxSkew;
		this.withoutStore = withoutStore;
		long wall = timeSource.millis();
		Anchor anchor = new Anchor(wall, timeSource.nanoTime(), 0);
		this.last = new AtomicReference<>(new Reading(anchor, wall, anchor.nanos, wall * 1_000, 0, true));
	}

	/**
	 * Read the time.
	 */
	Reading read() {
		long wall = this.timeSource.millis();
		Reading last = last();
		// at most one comparison a millisecond
		return (last.wall == wall) ? last : compared(last);
	}

	private Reading last() {
		return Objects.requireNonNull(this.last.get());
	}

	private Reading compared(Reading last) {
		long nanos = this.timeSource.nanoTime();
		long wall = this.timeSource.millis();
		for (int i = 1; i < ATTEMPTS && this.timeSource.nanoTime() - nanos > SAME_TIME_NANOS; i++) {
			nanos = this.timeSource.nanoTime();
			wall = this.timeSource.millis();
		}
		Reading reading = reading(last, wall, nanos);
		boolean compareWithItself = this.withoutStore && reading.trusted
				&& nanos - reading.anchor.nanos > SELF_COMPARISON_NANOS;
		Reading next = compareWithItself ? reading.anchored(new Anchor(wall, nanos, 0), this.maxSkew) : reading;
		if (this.last.compareAndSet(last, next) && Math.abs(reading.deviation - last.deviation) >= JUMP_MILLIS) {
			this.jumps.incrementAndGet();
		}
		return reading;
	}

	private Reading reading(Reading last, long wall, long nanos) {
		long slowly = last.micros + Math.max(0, nanos - last.nanos) / 2_000;
		long steady = Math.max(last.anchor.expected(nanos) * 1_000, slowly);
		boolean trusted = last.anchor.isNear(wall, nanos, this.maxSkew);
		return new Reading(last.anchor, wall, nanos, trusted ? Math.max(wall * 1_000, steady) : steady,
				wall - last.anchor.expected(nanos), trusted);
	}

	/**
	 * Compare the wall clock with that of the store. If it is beyond the bound, it is not
	 * trusted until a later comparison finds it right.
	 * @param store what the store's clock showed
	 * @param before an earlier reading of the clocks
	 * @throws ClockException if the wall clock is beyond the bound
	 */
	void compare(Instant store, Reading before) {
		Reading now = compared(last());
		long took = (now.nanos - before.nanos) / 1_000_000;
		long shown = store.toEpochMilli();
		// the store's clock was read some time between the two readings
		long skew = (shown < before.wall) ? before.wall - shown : Math.min(0, before.wall + took - shown);
		// and ours may have jumped meanwhile
		skew += now.wall - before.wall - took;
		this.skew = Duration.ofMillis(skew);
		if (Math.abs(skew) > this.maxSkew.toMillis()) {
			// a detected jump ends when the clock is back
			this.beyondBound = now.trusted;
			throw new ClockException("The clock of this machine is "
					+ DurationText.rounded(Duration.ofMillis(Math.abs(skew))) + (skew > 0 ? " ahead of" : " behind")
					+ " the clock of the store, which is more than maxSkew, " + DurationText.of(this.maxSkew)
					+ ". Correct the clock that is wrong." + zoneHint(skew));
		}
		Anchor anchor = new Anchor(now.wall, now.nanos, skew);
		this.last.updateAndGet((last) -> last.anchored(anchor, this.maxSkew));
		this.beyondBound = false;
	}

	/**
	 * Return whether a reading may be used.
	 */
	boolean isTrusted(Reading reading) {
		return reading.trusted && !this.beyondBound;
	}

	/**
	 * Return why the clock is not trusted.
	 */
	ClockException untrustedClockException() {
		long deviation = last().deviation;
		return new ClockException("The clock of this machine has jumped by "
				+ DurationText.rounded(Duration.ofMillis(Math.abs(deviation))) + (deviation > 0 ? " ahead" : " back")
				+ ", which is more than maxSkew, " + DurationText.of(this.maxSkew) + ". Correct it"
				+ (this.withoutStore ? ", or restart the application if it is right now." : ".") + zoneHint(deviation));
	}

	/**
	 * Return a hint for messages if the difference may be that of two time zones.
	 */
	private static String zoneHint(long millis) {
		long difference = Math.abs(millis) + ZONE_TOLERANCE_MILLIS;
		boolean likely = difference >= ZONE_STEP_MILLIS
				&& difference <= LARGEST_ZONE_DIFFERENCE_MILLIS + 2 * ZONE_TOLERANCE_MILLIS
				&& difference % ZONE_STEP_MILLIS <= 2 * ZONE_TOLERANCE_MILLIS;
		return likely ? " A difference of whole quarters of an hour suggests a wrong time zone: one of the clocks may"
				+ " have been set to the local time instead of UTC." : "";
	}

	Duration maxSkew() {
		return this.maxSkew;
	}

	boolean hasNoStore() {
		return this.withoutStore;
	}

	@Nullable Duration skew() {
		return this.skew;
	}

	long jumps() {
		return this.jumps.get();
	}

	/**
	 * What the clocks showed at one moment.
	 *
	 * @param anchor the last comparison of the wall clock
	 * @param wall what the wall clock showed, in milliseconds since 1970
	 * @param nanos what the clock that never jumps showed
	 * @param micros the time that ids carry, in microseconds since 1970
	 * @param deviation how far the wall clock was ahead of its expected value
	 * @param trusted whether that is within the bound
	 */
	record Reading(Anchor anchor, long wall, long nanos, long micros, long deviation, boolean trusted) {

		/**
		 * Return the time that ids carry, in milliseconds since 1970.
		 */
		long millis() {
			return Math.floorDiv(this.micros, 1_000);
		}

		/**
		 * Return this reading relative to another anchor.
		 */
		private Reading anchored(Anchor anchor, Duration maxSkew) {
			return new Reading(anchor, this.wall, this.nanos, this.micros, this.wall - anchor.expected(this.nanos),
					anchor.isNear(this.wall, this.nanos, maxSkew));
		}

	}

	/**
	 * What both clocks showed when the wall clock was last compared, and how far it was
	 * ahead of the store's.
	 */
	private record Anchor(long wall, long nanos, long skew) {

		/**
		 * Return what the wall clock should show.
		 */
		long expected(long nanos) {
			return this.wall + elapsedMillis(nanos);
		}

		boolean isNear(long wall, long nanos, Duration maxSkew) {
			return Math.abs(this.skew + wall - expected(nanos)) <= maxSkew.toMillis()
					+ Math.abs(elapsedMillis(nanos)) / SLEW;
		}

		private long elapsedMillis(long nanos) {
			return (nanos - this.nanos) / 1_000_000;
		}

	}

}
