package dev.idspring;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The information in an id. The parts depend on the strategy: block strategies provide
 * {@link #ordinal()} and {@link #reserved()}, time strategies {@link #time()},
 * {@link #node()} and {@link #tail()}.
 *
 * @param id the numeric form
 * @param text the text form
 * @param ordinal the place of the id in the order in which its key space hands out ids,
 * from 0 (with the {@code park-miller} preset from 1: there it is the seed); {@code null}
 * for time strategies
 * @param reserved whether an instance has reserved the id already, so that it may have
 * been handed out; {@code null} for time strategies, and if the store does not answer
 * @param time the instant the id carries, or {@code null} for block strategies
 * @param node the node that made the id, or {@code null} for block strategies
 * @param tail the part that distinguishes ids of the same node and instant, or
 * {@code null} for block strategies
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
	 * @param reserved whether the id is reserved already, {@code null} if unknown
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
	 * @param tail the part that distinguishes it from others of the same node and instant
	 * @return the description
	 */
	public static IdDescription ofTime(long id, String text, Instant time, long node, long tail) {
		InvalidSettingException.requireGiven(IdDescription.class, "time", time);
		return new IdDescription(id, text, null, null, time, node, tail);
	}

}
