package dev.idspring.time;

import java.time.Duration;
import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.store.SlotOwner;
import org.jspecify.annotations.Nullable;

/**
 * Where the number of a node comes from.
 *
 * @param source where it comes from, which operators see: {@code lease} for one that is
 * free, {@code fixed} or {@code hostname} for one that is given
 * @param number the number, or {@code null} to take one that is free
 * @param lease how long after an instance last renewed its number may be taken over; also
 * how far ahead times are reserved
 * @since 0.1.0
 */
public record NodeSettings(String source, @Nullable Long number, Duration lease) {

	private static final String LEASE = "lease";

	private static final List<String> SOURCES = List.of(LEASE, "fixed", "hostname");

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public NodeSettings {
		InvalidSettingException.require(source != null && SOURCES.contains(source), NodeSettings.class, "source",
				source, "must be one of " + String.join(", ", SOURCES));
		boolean leased = source.equals(LEASE);
		InvalidSettingException
			.require((number == null) == leased, NodeSettings.class, "number", number,
					leased ? "cannot be given where %s is lease, which takes a number that is free: use fixed"
							: "must be given where %s is " + source + ": only lease takes a number that is free",
					"source");
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
		return new NodeSettings(LEASE, null, lease);
	}

}
