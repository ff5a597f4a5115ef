package dev.idspring;

import java.time.Duration;
import java.util.Map;

/**
 * Formats durations as in configuration files, for example {@code 30ms}, {@code 5s} or
 * {@code 1d}. The unit is the largest of ns, ms, s, m, h and d that leaves no remainder.
 * Zero is {@code 0s}.
 *
 * @since 0.1.0
 */
public final class DurationText {

	/**
	 * Fractions of a second are omitted from durations of at least this many seconds,
	 * because the nanoseconds of a very long duration do not fit in a {@code long}.
	 */
	private static final long MAX_SECONDS_WITH_FRACTION = Integer.MAX_VALUE;

	private static final Map<Long, String> UNITS = Map.of(86_400L, "d", 3_600L, "h", 60L, "m", 1L, "s");

	private DurationText() {
	}

	/**
	 * Format a duration.
	 * @param duration the duration
	 * @return the string, which Spring Boot converts to the same duration, except that
	 * durations of about 68 years or more lose their fraction of a second
	 */
	public static String of(Duration duration) {
		InvalidSettingException.requireGiven(DurationText.class, "duration", duration);
		long seconds = duration.getSeconds();
		if (duration.getNano() != 0 && Math.abs(seconds) < MAX_SECONDS_WITH_FRACTION) {
			return (duration.getNano() % 1_000_000 == 0) ? duration.toMillis() + "ms" : duration.toNanos() + "ns";
		}
		long unit = UNITS.keySet()
			.stream()
			.filter((candidate) -> seconds != 0 && seconds % candidate == 0)
			.max(Long::compare)
			.orElse(1L);
		return seconds / unit + UNITS.get(unit);
	}

	/**
	 * Format a measured duration or a waiting time, rounded up to whole minutes if it is
	 * an hour or more, to whole seconds if it is a minute or more, and otherwise to whole
	 * milliseconds.
	 * @param duration the duration
	 * @return the string
	 */
	public static String rounded(Duration duration) {
		InvalidSettingException.requireGiven(DurationText.class, "duration", duration);
		if (duration.compareTo(Duration.ofHours(1)) >= 0) {
			return of(Duration.ofMinutes(duration.plusMinutes(1).minusNanos(1).toMinutes()));
		}
		return of((duration.compareTo(Duration.ofMinutes(1)) >= 0)
				? Duration.ofSeconds(duration.plusSeconds(1).minusNanos(1).toSeconds())
				: Duration.ofMillis(duration.plusMillis(1).minusNanos(1).toMillis()));
	}

}
