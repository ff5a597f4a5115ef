package dev.idspring.time;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Where the number of a node comes from.
 *
 * @param source what operators call it, as in {@code ids.node.source}
 * @param number the number, or {@code null} to take one that is free
 * @param lease how long after an instance was last heard of its number may be taken over;
 * also how far ahead times are reserved
 * @since 0.1.0
 */
public record NodeSettings(String source, @Nullable Long number, Duration lease) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public NodeSettings {
		if (number != null && number < 0) {
			throw new IllegalArgumentException("node.id is " + number + " but must not be negative");
		}
		if (lease.compareTo(Duration.ofSeconds(1)) < 0 || lease.compareTo(Duration.ofDays(1)) > 0) {
			throw new IllegalArgumentException("lease is " + lease + " but must be between 1s and 1d");
		}
	}

	/**
	 * Take a number that is free, as a store knows.
	 * @param lease how long after an instance was last heard of its number may be taken
	 * over
	 * @return the settings
	 */
	public static NodeSettings lease(Duration lease) {
		return new NodeSettings("lease", null, lease);
	}

}
