package dev.idspring.time;

import java.time.Duration;
import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.store.SlotOwner;
import org.jspecify.annotations.Nullable;

/**
 * The source of a node's number.
 *
 * @param source the source, as shown to operators: {@code lease} for a free number,
 * {@code fixed} or {@code hostname} for a given one
 * @param number the number, or {@code null} to take a free one
 * @param lease how long after its last renewal a number may be taken over; also how far
 * ahead times are reserved
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
	 * Lease a free number from the store.
	 * @param lease how long after its last renewal a number may be taken over
	 * @return the settings
	 */
	public static NodeSettings lease(Duration lease) {
		return new NodeSettings(LEASE, null, lease);
	}

}
