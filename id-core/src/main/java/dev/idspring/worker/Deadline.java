package dev.idspring.worker;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The time by which an operation must end. All steps of an operation share one deadline,
 * so that their timeouts do not add up.
 *
 * @param timeSource supplies the current time
 * @param end the deadline, as a reading of the monotonic clock
 * @since 0.1.0
 */
public record Deadline(TimeSource timeSource, long end) {

	/**
	 * The maximum timeout. The difference between two readings of the monotonic clock
	 * overflows after 292 years.
	 */
	private static final Duration MAX_TIMEOUT = Duration.ofDays(36_500);

	/**
	 * Create a deadline.
	 * @throws IllegalArgumentException if the time source is missing
	 */
	public Deadline {
		requireGiven("timeSource", timeSource);
	}

	/**
	 * Create a deadline relative to now.
	 * @param timeSource supplies the current time
	 * @param timeout the time until the deadline; more than 36,500 days count as 36,500
	 * days, and a negative time counts as zero
	 * @return the deadline
	 */
	public static Deadline after(TimeSource timeSource, Duration timeout) {
		requireGiven("timeSource", timeSource);
		requireGiven("timeout", timeout);
		Duration capped = (timeout.compareTo(MAX_TIMEOUT) < 0) ? timeout : MAX_TIMEOUT;
		Duration bounded = capped.isNegative() ? Duration.ZERO : capped;
		return new Deadline(timeSource, timeSource.nanoTime() + bounded.toNanos());
	}

	private static void requireGiven(String parameter, @Nullable Object value) {
		if (value == null) {
			throw new IllegalArgumentException(parameter + " is null but must be given");
		}
	}

	/**
	 * Create a deadline relative to now, with the time source of the system.
	 * @param timeout the time until the deadline, bounded as in {@link #after}
	 * @return the deadline
	 */
	public static Deadline in(Duration timeout) {
		return after(TimeSource.system(), timeout);
	}

	/**
	 * Return the time until the deadline.
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
