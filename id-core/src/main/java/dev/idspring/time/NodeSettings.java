package dev.idspring.time;

import java.time.Duration;

import dev.idspring.InvalidSettingException;
import dev.idspring.store.SlotOwner;
import org.jspecify.annotations.Nullable;

/**
 * Where the number of a node comes from.
 *
 * @param source what operators call it, as in {@code lease}
 * @param number the number, or {@code null} to take one that is free
 * @param lease how long after an instance last renewed its number may be taken over; also
 * how far ahead times are reserved
 * @since 0.1.0
 */
public record NodeSettings(String source, @Nullable Long number, Duration lease) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public NodeSettings {
		InvalidSettingException.require(number == null || number >= 0, NodeSettings.class, "number", number,
				"must not be negative");
		SlotOwner.verifyLease(NodeSettings.class, lease);
	}

	/**
	 * Take a number that is free, as a store knows.
	 * @param lease how long after an instance last renewed its number may be taken over
	 * @return the settings
	 */
	public static NodeSettings lease(Duration lease) {
		return new NodeSettings("lease", null, lease);
	}

}
