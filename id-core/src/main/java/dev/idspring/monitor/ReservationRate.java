package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How fast the keys of a key space are being reserved.
 *
 * @param perSecond how many keys a second in an ordinary week, zero or more
 * @param lately how many keys a second within the last week, ordinary or not
 * @param reach how far into the future that can be trusted, or {@code null} if it was
 * measured for so long that there is nothing better
 * @since 0.1.0
 */
public record ReservationRate(double perSecond, double lately, @Nullable Duration reach) {

	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

	/**
	 * Project when nothing will be left.
	 * @param remaining how many keys are left
	 * @param now the current instant
	 * @return when they will be gone, or {@code null} if that is further away than can be
	 * told
	 */
	@Nullable Instant exhaustedAt(long remaining, Instant now) {
		return exhaustedAt(remaining, this.perSecond, now);
	}

	/**
	 * Project when nothing will be left if the last week was not an exception.
	 * @param remaining how many keys are left
	 * @param now the current instant
	 * @return when they will be gone at the higher of both rates, or {@code null} if that
	 * is further away than can be told
	 */
	@Nullable Instant soonestEnd(long remaining, Instant now) {
		return exhaustedAt(remaining, Math.max(this.perSecond, this.lately), now);
	}

	private @Nullable Instant exhaustedAt(long remaining, double rate, Instant now) {
		double seconds = remaining / rate;
		Duration furthest = (this.reach != null) ? this.reach : Duration.between(now, LAST);
		return (seconds < furthest.toSeconds()) ? now.plusSeconds((long) seconds) : null;
	}

}
