package dev.idspring.worker;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A point in time until which an operation may take. Shared by all steps of the
 * operation, so that they cannot wait one after the other.
 *
 * @param timeSource tells what now is
 * @param end the deadline, as a reading of the monotonic clock
 * @since 0.1.0
 */
public record Deadline(TimeSource timeSource, long end) {

	/** Differences of readings of the clock overflow after 292 years. */
	private static final Duration LONGEST = Duration.ofDays(36_500);

	/**
	 * Create a deadline.
	 * @throws IllegalArgumentException if the time source is missing
	 */
	public Deadline {
		given("timeSource", timeSource);
	}

	/**
	 * Create a deadline a while from now.
	 * @param timeSource tells what now is
	 * @param timeout how long from now; a hundred years at most, more means that, and
	 * less than nothing means now
	 * @return the deadline
	 */
	public static Deadline after(TimeSource timeSource, Duration timeout) {
		given("timeSource", timeSource);
		given("timeout", timeout);
		Duration notLonger = (timeout.compareTo(LONGEST) < 0) ? timeout : LONGEST;
		Duration bounded = notLonger.isNegative() ? Duration.ZERO : notLonger;
		return new Deadline(timeSource, timeSource.nanoTime() + bounded.toNanos());
	}

	private static void given(String parameter, @Nullable Object value) {
		if (value == null) {
			throw new IllegalArgumentException(parameter + " is null but must be given");
		}
	}

	/**
	 * Create a deadline a while from now, by the clock of the system.
	 * @param timeout how long from now
	 * @return the deadline
	 */
	public static Deadline in(Duration timeout) {
		return after(TimeSource.system(), timeout);
	}

	/**
	 * Return how long there is until the deadline.
	 * @return the time left, zero once the deadline has passed
	 */
	public Duration remaining() {
		return Duration.ofNanos(Math.max(0, this.end - this.timeSource.nanoTime()));
	}

	/**
	 * Return whether the deadline has passed.
	 * @return {@code true} if there is no time left
	 */
	public boolean hasPassed() {
		return this.end - this.timeSource.nanoTime() <= 0;
	}

}
