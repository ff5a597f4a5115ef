package dev.idspring.block;

import java.time.Duration;

/**
 * How an instance uses the series of a key space.
 *
 * @param perInstance over how many series the threads of this instance are spread, from 1
 * to 1,000
 * @param lease how long after a writer last renewed its series another one may claim it,
 * from one second to a day
 * @since 0.1.0
 */
public record SeriesSettings(int perInstance, Duration lease) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public SeriesSettings {
		if (perInstance < 1 || perInstance > 1_000) {
			throw new IllegalArgumentException(
					"recycled.series-per-instance is " + perInstance + " but must be from 1 to 1000");
		}
		if (lease.compareTo(Duration.ofSeconds(1)) < 0 || lease.compareTo(Duration.ofDays(1)) > 0) {
			throw new IllegalArgumentException("lease is " + lease + " but must be between 1s and 1d");
		}
	}

	/**
	 * Return the default settings.
	 * @return one series, with a lease of 30 seconds
	 */
	public static SeriesSettings defaults() {
		return new SeriesSettings(1, Duration.ofSeconds(30));
	}

}
