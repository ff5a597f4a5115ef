package dev.idspring.recycled;

import java.time.Duration;

import dev.idspring.InvalidSettingException;
import dev.idspring.store.SlotOwner;

/**
 * How an instance uses the series of a key space.
 *
 * @param perInstance how many series the threads of this instance share, from 1 to 1,000
 * @param lease how long after the last renewal no other instance may claim the series,
 * from one second to one day
 * @since 0.1.0
 */
public record SeriesSettings(int perInstance, Duration lease) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names the
	 * parameter
	 */
	public SeriesSettings {
		InvalidSettingException.requireRange(SeriesSettings.class, "perInstance", perInstance, 1, 1_000);
		SlotOwner.verifyLease(SeriesSettings.class, lease);
	}

	/**
	 * Return the default settings.
	 * @return one series, with a lease of 30 seconds
	 */
	public static SeriesSettings defaults() {
		return new SeriesSettings(1, Duration.ofSeconds(30));
	}

}
