package dev.idspring;

import java.time.Duration;
import java.util.Map;

/**
 * Writes durations as in configuration files, {@code 30ms}, {@code 5s} or {@code 1d}: in
 * the largest unit without a remainder.
 *
 * @since 0.1.0
 */
public final class DurationText {

	/** From here on fractions of a second do not matter, and nanoseconds may overflow. */
	private static final long LONG = Integer.MAX_VALUE;

	private static final Map<Long, String> UNITS = Map.of(86_400L, "d", 3_600L, "h", 60L, "m", 1L, "s");

	private DurationText() {
	}

	/**
	 * Write a duration.
	 * @param duration the duration
	 * @return the text, which Spring Boot reads as the same duration
	 */
	public static String of(Duration duration) {
		InvalidSettingException.requireGiven(DurationText.class, "duration", duration);
		long seconds = duration.getSeconds();
		if (duration.getNano() != 0 && Math.abs(seconds) < LONG) {
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
	 * Write a measured duration or a waiting time: rounded up to seconds from one minute,
	 * and to minutes from one hour.
	 * @param duration the duration
	 * @return the text
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
