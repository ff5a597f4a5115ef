package dev.idspring.time;

import java.time.Duration;

import dev.idspring.InvalidSettingException;

/**
 * The settings that limit how far the times of ids may be ahead of the clock, and how far
 * the clock may deviate.
 *
 * @param maxAhead how far the times of ids may be ahead of the clock, for example if
 * callers draw ids faster than the layout allows; from 0 to an hour
 * @param maxSkew how far the clock of this machine may jump, and how far it may differ
 * from the store's clock; from a second to a day
 * @since 0.1.0
 */
public record ClockSettings(Duration maxAhead, Duration maxSkew) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public ClockSettings {
		InvalidSettingException.requireRange(ClockSettings.class, "maxAhead", maxAhead, Duration.ZERO,
				Duration.ofHours(1));
		InvalidSettingException.requireRange(ClockSettings.class, "maxSkew", maxSkew, Duration.ofSeconds(1),
				Duration.ofDays(1));
	}

	/**
	 * Return the default settings.
	 * @return settings with a {@code maxAhead} of one second and a {@code maxSkew} of one
	 * minute
	 */
	public static ClockSettings defaults() {
		return new ClockSettings(Duration.ofSeconds(1), Duration.ofMinutes(1));
	}

}
