package dev.idspring;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What an id says about itself. Which parts are present depends on the strategy: block
 * strategies tell {@link #ordinal()} and {@link #reserved()}, time strategies
 * {@link #time()}, {@link #node()} and {@link #tail()}.
 *
 * @param id the numeric form
 * @param text the text form
 * @param ordinal the place of the id in the order in which its key space hands out ids,
 * from 0 (with the {@code park-miller} preset from 1: there it is the seed); {@code null}
 * for time strategies
 * @param reserved whether the id has been reserved already by some instance, so that it
 * may have been handed out; {@code null} for time strategies, and where it is not known
 * because the store does not answer
 * @param time the instant the id carries, or {@code null} for block strategies
 * @param node the node that made the id, or {@code null} for block strategies
 * @param tail what tells ids of the same node and instant apart, or {@code null} for
 * block strategies
 * @since 0.1.0
 */
public record IdDescription(long id, String text, @Nullable Long ordinal, @Nullable Boolean reserved,
		@Nullable Instant time, @Nullable Long node, @Nullable Long tail) {

	/**
	 * Create a description.
	 * @throws IllegalArgumentException if the text is missing
	 */
	public IdDescription {
		InvalidSettingException.requireGiven(IdDescription.class, "text", text);
	}

	/**
	 * Describe an id of a block strategy.
	 * @param id the numeric form
	 * @param text the text form
	 * @param ordinal the place in the order of the key space
	 * @param reserved whether the id is reserved already, {@code null} if that is not
	 * known
	 * @return the description
	 */
	public static IdDescription ofOrdinal(long id, String text, long ordinal, @Nullable Boolean reserved) {
		return new IdDescription(id, text, ordinal, reserved, null, null, null);
	}

	/**
	 * Describe an id of a time strategy.
	 * @param id the numeric form
	 * @param text the text form
	 * @param time the instant it carries
	 * @param node the node that made it
	 * @param tail what tells it apart from others of the same node and instant
	 * @return the description
	 */
	public static IdDescription ofTime(long id, String text, Instant time, long node, long tail) {
		InvalidSettingException.requireGiven(IdDescription.class, "time", time);
		return new IdDescription(id, text, null, null, time, node, tail);
	}

}
