package dev.idspring.time;

import java.time.Duration;
import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.store.SlotOwner;
import org.jspecify.annotations.Nullable;

/**
 * The settings that determine which node a generator uses.
 *
 * @param source the source of the node number: {@code lease} for a free number from the
 * store, {@code fixed} or {@code hostname} for a configured number
 * @param number the configured number, or {@code null} to use a free number
 * @param lease how long after the last renewal no other instance may claim the node.
 * Times are reserved this far ahead, plus {@code maxAhead}
 * @since 0.1.0
 */
public record NodeSettings(String source, @Nullable Long number, Duration lease) {

	private static final String LEASE = "lease";

	private static final List<String> SOURCES = List.of(LEASE, "fixed", "hostname");

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public NodeSettings {
		InvalidSettingException.require(source != null && SOURCES.contains(source), NodeSettings.class, "source",
				source, "must be one of " + String.join(", ", SOURCES));
		boolean takesFreeNumber = source.equals(LEASE);
		InvalidSettingException.require((number == null) == takesFreeNumber, NodeSettings.class, "number", number,
				takesFreeNumber ? "cannot be set with %s=lease, which takes a free number: use fixed"
						: "must be set with %s=" + source + ": only lease takes a free number",
				"source");
		InvalidSettingException.require(number == null || number >= 0, NodeSettings.class, "number", number,
				"must not be negative");
		SlotOwner.verifyLease(NodeSettings.class, lease);
	}

	/**
	 * Create settings for a free number from the store.
	 * @param lease how long after the last renewal no other instance may claim the node
	 * @return the settings
	 */
	public static NodeSettings lease(Duration lease) {
		return new NodeSettings(LEASE, null, lease);
	}

}
