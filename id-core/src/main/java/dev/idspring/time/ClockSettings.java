package dev.idspring.time;

import java.time.Duration;

import dev.idspring.InvalidSettingException;

/**
 * The clock tolerance.
 *
 * @param maxAhead how far ids may run ahead of the clock when callers want more of them
 * than a millisecond has, up to an hour
 * @param maxSkew how far the clock may differ from that of the store, or jump, from a
 * second to a day
 * @since 0.1.0
 */
public record ClockSettings(Duration maxAhead, Duration maxSkew) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public ClockSettings {
		InvalidSettingException.requireRange(ClockSettings.class, "maxAhead", maxAhead, Duration.ZERO,
				Duration.ofHours(1));
		InvalidSettingException.requireRange(ClockSettings.class, "maxSkew", maxSkew, Duration.ofSeconds(1),
				Duration.ofDays(1));
	}

	/**
	 * Return the defaults.
	 * @return a second ahead, a minute of skew
	 */
	public static ClockSettings defaults() {
		return new ClockSettings(Duration.ofSeconds(1), Duration.ofMinutes(1));
	}

}
