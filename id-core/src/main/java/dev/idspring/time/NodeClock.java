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
 * Computes the time for the new ids of a node from a wall clock that may jump. The wall
 * clock deviates if it differs from its predicted value or from the store's clock.
 * <ol>
 * <li>The wall clock is compared with the store's clock before a node is claimed, and
 * after each claim or renewal. Between comparisons, the wall clock is predicted from the
 * monotonic clock, because both should advance equally.</li>
 * <li>While the wall clock deviates by at most {@code maxSkew}, new ids contain its time,
 * but their time never decreases. If the wall clock is set back, the time of ids advances
 * with the monotonic clock. After the next comparison, the time of ids advances at half
 * speed until the wall clock has caught up.</li>
 * <li>A wall clock that deviates by more than {@code maxSkew} is not trusted. It is
 * trusted again as soon as a comparison finds it correct or its jump is undone. A
 * comparison confirms only one reading of the wall clock. If the clock jumps during a
 * comparison, later readings deviate from the confirmed one.</li>
 * </ol>
 * This class is thread-safe. Only the times of ids depend on it, not their uniqueness.
 */
final class NodeClock {

	private static final long JUMP_MILLIS = 1_000;

	/**
	 * The readings of two clocks count as simultaneous if they were taken at most this
	 * far apart.
	 */
	private static final long SIMULTANEOUS_NANOS = 10_000_000;

	private static final int ATTEMPTS = 3;

	/** Differences between time zones are multiples of a quarter of an hour. */
	private static final long ZONE_STEP_MILLIS = Duration.ofMinutes(15).toMillis();

	/** The largest difference between two time zones, across the date line. */
	private static final long LARGEST_ZONE_DIFFERENCE_MILLIS = Duration.ofHours(26).toMillis();

	/**
	 * A difference suggests a wrong time zone only if it is at most this far from a
	 * multiple of {@link #ZONE_STEP_MILLIS}.
	 */
	private static final long ZONE_TOLERANCE_MILLIS = Duration.ofMinutes(1).toMillis();

	/**
	 * While an operating system corrects the wall clock gradually, the clock gains or
	 * loses at most one millisecond in this many.
	 */
	private static final int SLEW_DIVISOR = 1_000;

	/**
	 * Without a store, a trusted reading replaces an {@link Anchor} that is older than
	 * this.
	 */
	private static final long MAX_ANCHOR_NANOS = Duration.ofSeconds(10).toNanos();

	private final TimeSource timeSource;

	private final Duration maxSkew;

	private final boolean withoutStore;

	private final AtomicReference<Reading> last;

	private final AtomicLong jumps = new AtomicLong();

	private volatile @Nullable Duration skew;

	/**
	 * Whether the last comparison with the store found a deviation of more than
	 * {@code maxSkew}, although no jump of the wall clock had been detected.
	 */
	private volatile boolean storeDisagrees;

	/**
	 * Create a clock.
	 * @param timeSource the clocks of the machine
	 * @param maxSkew how far the wall clock may deviate
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
		return (last.wall == wall) ? last : takeReading(last);
	}

	private Reading last() {
		return Objects.requireNonNull(this.last.get());
	}

	private Reading takeReading(Reading last) {
		long nanos = this.timeSource.nanoTime();
		long wall = this.timeSource.millis();
		for (int i = 1; i < ATTEMPTS && this.timeSource.nanoTime() - nanos > SIMULTANEOUS_NANOS; i++) {
			nanos = this.timeSource.nanoTime();
			wall = this.timeSource.millis();
		}
		Reading reading = evaluate(last, wall, nanos);
		boolean moveAnchor = this.withoutStore && reading.trusted && nanos - reading.anchor.nanos > MAX_ANCHOR_NANOS;
		Reading next = moveAnchor ? reading.withAnchor(new Anchor(wall, nanos, 0), this.maxSkew) : reading;
		if (this.last.compareAndSet(last, next) && Math.abs(reading.deviation - last.deviation) >= JUMP_MILLIS) {
			this.jumps.incrementAndGet();
		}
		return reading;
	}

	private Reading evaluate(Reading last, long wall, long nanos) {
		long atHalfSpeed = last.micros + Math.max(0, nanos - last.nanos) / 2_000;
		long steady = Math.max(last.anchor.predictedWall(nanos) * 1_000, atHalfSpeed);
		boolean trusted = last.anchor.isNear(wall, nanos, this.maxSkew);
		return new Reading(last.anchor, wall, nanos, trusted ? Math.max(wall * 1_000, steady) : steady,
				wall - last.anchor.predictedWall(nanos), trusted);
	}

	/**
	 * Compare the wall clock with the store's clock.
	 * @param store the reading of the store's clock
	 * @param readingBefore a reading of this machine's clocks that was taken before the
	 * request to the store
	 * @throws ClockException if the clocks differ by more than {@code maxSkew}
	 */
	void compare(Instant store, Reading readingBefore) {
		Reading now = takeReading(last());
		long took = (now.nanos - readingBefore.nanos) / 1_000_000;
		long storeMillis = store.toEpochMilli();
		// the store read its clock at an unknown time between the two readings of this
		// machine's clocks
		long skew = (storeMillis < readingBefore.wall) ? readingBefore.wall - storeMillis
				: Math.min(0, readingBefore.wall + took - storeMillis);
		// the wall clock of this machine may have jumped in between
		skew += now.wall - readingBefore.wall - took;
		this.skew = Duration.ofMillis(skew);
		if (Math.abs(skew) > this.maxSkew.toMillis()) {
			// after a jump, the clock is trusted again as soon as the jump is undone
			this.storeDisagrees = now.trusted;
			throw new ClockException("The clock of this machine is "
					+ DurationText.rounded(Duration.ofMillis(Math.abs(skew))) + (skew > 0 ? " ahead of" : " behind")
					+ " the clock of the store, which is more than maxSkew (" + DurationText.of(this.maxSkew)
					+ "). Correct the clock that is wrong." + zoneHint(skew));
		}
		Anchor anchor = new Anchor(now.wall, now.nanos, skew);
		this.last.updateAndGet((last) -> last.withAnchor(anchor, this.maxSkew));
		this.storeDisagrees = false;
	}

	/**
	 * Return whether the time of a reading may be used for ids.
	 */
	boolean isTrusted(Reading reading) {
		return reading.trusted && !this.storeDisagrees;
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
	 * Return a hint for messages if a wrong time zone may be the cause of the difference,
	 * otherwise an empty string.
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
	 * A reading of the wall clock and of the monotonic clock, and the resulting time for
	 * ids.
	 *
	 * @param anchor the readings from which the wall clock is predicted
	 * @param wall the reading of the wall clock, in milliseconds since 1970
	 * @param nanos the reading of the monotonic clock, in nanoseconds
	 * @param micros the time for new ids, in microseconds since 1970
	 * @param deviation how far the wall clock is ahead of its predicted value, in
	 * milliseconds
	 * @param trusted whether the wall clock deviates by at most {@code maxSkew}
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
		private Reading withAnchor(Anchor anchor, Duration maxSkew) {
			return new Reading(anchor, this.wall, this.nanos, this.micros, this.wall - anchor.predictedWall(this.nanos),
					anchor.isNear(this.wall, this.nanos, maxSkew));
		}

	}

	/**
	 * The readings from which the wall clock is predicted: those of the last comparison
	 * with the store or, without a store, of an earlier trusted reading.
	 *
	 * @param skew how far the wall clock was ahead of the store's clock, 0 without a
	 * store
	 */
	private record Anchor(long wall, long nanos, long skew) {

		/**
		 * Predict the reading of the wall clock from a reading of the monotonic clock.
		 */
		long predictedWall(long nanos) {
			return this.wall + elapsedMillis(nanos);
		}

		boolean isNear(long wall, long nanos, Duration maxSkew) {
			return Math.abs(this.skew + wall - predictedWall(nanos)) <= maxSkew.toMillis()
					+ Math.abs(elapsedMillis(nanos)) / SLEW_DIVISOR;
		}

		private long elapsedMillis(long nanos) {
			return (nanos - this.nanos) / 1_000_000;
		}

	}

}
