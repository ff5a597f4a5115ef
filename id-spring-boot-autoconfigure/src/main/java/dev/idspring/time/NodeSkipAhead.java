package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.block.StoredKeySpace;
import dev.idspring.clock.Deadline;
import dev.idspring.slot.SlotListing;
import dev.idspring.slot.SlotStore;

/**
 * Moves all nodes of a key space ahead, so that times which may have been used before its
 * store went backwards are not used again.
 *
 * @param keySpace the key space as the store remembers it
 * @param by by how many milliseconds
 * @since 0.1.0
 */
public record NodeSkipAhead(StoredKeySpace keySpace, long by) {

	private static final Pattern EPOCH = Pattern.compile("(?:snowflake|decimal-uid|composite) epoch=(\\S+) .*");

	/**
	 * Return whether a key space has nodes.
	 * @param keySpace the key space as the store remembers it
	 * @return {@code true} if it is one of times
	 */
	public static boolean isFor(StoredKeySpace keySpace) {
		return EPOCH.matcher(keySpace.definition()).matches();
	}

	/**
	 * Tell what the skip would do. Changes nothing.
	 * @param store the store of the nodes
	 * @param deadline how long this may take
	 * @return a sentence or two
	 */
	public String plan(SlotStore store, Deadline deadline) {
		SlotListing listing = store.list(this.keySpace.name(), deadline);
		return "Key space '" + this.keySpace.name() + "' has " + listing.slots().size() + " nodes. Skipping ahead by "
				+ Duration.ofMillis(this.by) + " would make ids begin at "
				+ listing.slots()
					.stream()
					.map((stored) -> instant(stored.slot().position() + this.by) + " (node " + stored.slot().number()
							+ ", now " + instant(stored.slot().position()) + ")")
					.collect(Collectors.joining(", "))
				+ ". Until the clock gets there such a node makes no ids.";
	}

	private Instant instant(long position) {
		Matcher matcher = EPOCH.matcher(this.keySpace.definition());
		if (!matcher.matches()) {
			throw new IllegalStateException("'" + this.keySpace.definition() + "' has no epoch");
		}
		return Instant.parse(matcher.group(1)).plusMillis(position);
	}

	/**
	 * Skip ahead.
	 * @param store the store of the nodes
	 * @param deadline how long this may take
	 */
	public void run(SlotStore store, Deadline deadline) {
		store.skip(this.keySpace.name(), this.by, 0, deadline);
	}

}
