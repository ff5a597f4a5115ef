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
 * Computes the time for new ids from a wall clock that may jump.
 * <ol>
 * <li>The wall clock is compared with the store's clock before a node is claimed, and
 * each time a node is claimed or renewed. In between, it is compared with the monotonic
 * clock. Both clocks should have advanced equally since the last comparison with the
 * store.</li>
 * <li>While the wall clock deviates by at most the bound, ids get its time, but the time
 * of ids never decreases. If the wall clock is set back, the time of ids continues as
 * before. After the next comparison with the store, the time of ids advances at half
 * speed until the wall clock has caught up.</li>
 * <li>A wall clock that deviates by more than the bound is not trusted. It is used again
 * when it is back within the bound or agrees with the store's clock. A comparison with
 * the store confirms only one reading of the wall clock. A jump while the store answers
 * is still detected, because later readings deviate from the confirmed reading.</li>
 * </ol>
 * This class is thread-safe. Only the times of ids depend on it, not their uniqueness.
 */
final class NodeClock {

	private static final long JUMP_MILLIS = 1_000;

	/**
	 * Two clocks count as read at the same time if at most this time passed between the
	 * two readings.
	 */
	private static final long SAME_TIME_NANOS = 10_000_000;

	private static final int ATTEMPTS = 3;

	/** Differences between time zones are multiples of a quarter of an hour. */
	private static final long ZONE_STEP_MILLIS = Duration.ofMinutes(15).toMillis();

	/** The largest difference between two time zones, across the date line. */
	private static final long LARGEST_ZONE_DIFFERENCE_MILLIS = Duration.ofHours(26).toMillis();

	/** The tolerance for differences between time zones, because clocks are not exact. */
	private static final long ZONE_TOLERANCE_MILLIS = Duration.ofMinutes(1).toMillis();

	/**
	 * A clock that is being slewed runs too fast or too slow by at most one part in this
	 * number.
	 */
	private static final int SLEW = 1_000;

	/**
	 * If there is no store, the wall clock is assumed to be correct if it has not jumped
	 * for this long.
	 */
	private static final long SELF_COMPARISON_NANOS = Duration.ofSeconds(10).toNanos();

	private final TimeSource timeSource;

	private final Duration maxSkew;

	private final boolean withoutStore;

	private final AtomicReference<Reading> last;

	private final AtomicLong jumps = new AtomicLong();

	private volatile @Nullable Duration skew;

	/** Whether the last comparison with the store found a deviation beyond the bound. */
	private volatile boolean beyondBound;

	/**
	 * Create a clock.
	 * @param timeSource the clocks of the machine
	 * @param maxSkew the bound: how far the wall clock may deviate
	 * @param withoutStore whether there is no store to compare the wall clock with
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
	 * Read the clocks.
	 */
	Reading read() {
		long wall = this.timeSource.millis();
		Reading last = last();
		// compare the clocks at most once per millisecond
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
	 * Compare the wall clock with the store's clock. If the difference exceeds the bound,
	 * the wall clock is not trusted until a later comparison finds it within the bound
	 * or, if a jump was already detected, until the jump is undone.
	 * @param store the reading of the store's clock
	 * @param before a reading of the clocks from before the request to the store
	 * @throws ClockException if the difference exceeds the bound
	 */
	void compare(Instant store, Reading before) {
		Reading now = compared(last());
		long took = (now.nanos - before.nanos) / 1_000_000;
		long storeMillis = store.toEpochMilli();
		// the store read its clock at an unknown time between the two readings of this
		// machine
		long skew = (storeMillis < before.wall) ? before.wall - storeMillis
				: Math.min(0, before.wall + took - storeMillis);
		// the wall clock of this machine may have jumped in between
		skew += now.wall - before.wall - took;
		this.skew = Duration.ofMillis(skew);
		if (Math.abs(skew) > this.maxSkew.toMillis()) {
			// if a jump was already detected, the clock is trusted again as soon as the
			// jump is undone
			this.beyondBound = now.trusted;
			throw new ClockException("The clock of this machine is "
					+ DurationText.rounded(Duration.ofMillis(Math.abs(skew))) + (skew > 0 ? " ahead of" : " behind")
					+ " the clock of the store, which is more than maxSkew (" + DurationText.of(this.maxSkew)
					+ "). Correct the clock that is wrong." + zoneHint(skew));
		}
		Anchor anchor = new Anchor(now.wall, now.nanos, skew);
		this.last.updateAndGet((last) -> last.anchored(anchor, this.maxSkew));
		this.beyondBound = false;
	}

	/**
	 * Return whether the time of a reading may be used for ids.
	 */
	boolean isTrusted(Reading reading) {
		return reading.trusted && !this.beyondBound;
	}

	/**
	 * Create the exception that says why the clock is not trusted.
	 */
	ClockException untrustedClockException() {
		long deviation = last().deviation;
		return new ClockException("The clock of this machine has jumped " + (deviation > 0 ? "forwards" : "backwards")
				+ " by " + DurationText.rounded(Duration.ofMillis(Math.abs(deviation)))
				+ ", which is more than maxSkew (" + DurationText.of(this.maxSkew) + "). Correct the clock"
				+ (this.withoutStore ? ", or restart the application if the clock is correct now." : ".")
				+ zoneHint(deviation));
	}

	/**
	 * Return a hint for messages if the difference may come from a wrong time zone.
	 */
	private static String zoneHint(long millis) {
		long difference = Math.abs(millis) + ZONE_TOLERANCE_MILLIS;
		boolean likely = difference >= ZONE_STEP_MILLIS
				&& difference <= LARGEST_ZONE_DIFFERENCE_MILLIS + 2 * ZONE_TOLERANCE_MILLIS
				&& difference % ZONE_STEP_MILLIS <= 2 * ZONE_TOLERANCE_MILLIS;
		return likely ? " A difference that is a multiple of 15 minutes suggests a wrong time zone: one of the clocks"
				+ " may have been set to local time instead of UTC." : "";
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
	 * A reading of both clocks, and the resulting time for ids.
	 *
	 * @param anchor the last comparison of the wall clock with the store's clock
	 * @param wall the reading of the wall clock, in milliseconds since 1970
	 * @param nanos the reading of the monotonic clock, in nanoseconds
	 * @param micros the time for new ids, in microseconds since 1970
	 * @param deviation how far the wall clock is ahead of its expected value, in
	 * milliseconds
	 * @param trusted whether the wall clock is within the bound
	 */
	record Reading(Anchor anchor, long wall, long nanos, long micros, long deviation, boolean trusted) {

		/**
		 * Return the time for new ids, in milliseconds since 1970.
		 */
		long millis() {
			return Math.floorDiv(this.micros, 1_000);
		}

		/**
		 * Return this reading with another anchor.
		 */
		private Reading anchored(Anchor anchor, Duration maxSkew) {
			return new Reading(anchor, this.wall, this.nanos, this.micros, this.wall - anchor.expected(this.nanos),
					anchor.isNear(this.wall, this.nanos, maxSkew));
		}

	}

	/**
	 * The readings of both clocks at the last comparison with the store's clock, and how
	 * far the wall clock was ahead of the store's clock.
	 */
	private record Anchor(long wall, long nanos, long skew) {

		/**
		 * Return the expected reading of the wall clock.
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
