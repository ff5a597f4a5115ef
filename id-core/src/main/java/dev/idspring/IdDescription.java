package dev.idspring;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Describes what an id contains. Time-based strategies provide {@link #time()},
 * {@link #node()} and {@link #tail()}. All other strategies provide {@link #ordinal()}
 * and {@link #reserved()}.
 *
 * @param id the numeric form
 * @param text the text form
 * @param ordinal the position of the id in the order of its key space, or {@code null}
 * for time-based strategies. Positions begin at 0. For the {@code park-miller} preset,
 * they begin at 1, and the ordinal is the seed from which the id is computed
 * @param reserved whether any instance has reserved the id, and so may have handed it
 * out; {@code null} for time-based strategies, or if this is unknown, for example because
 * the store does not answer
 * @param time the time in the id, or {@code null} for all strategies that are not
 * time-based
 * @param node the node that created the id, or {@code null} for all strategies that are
 * not time-based
 * @param tail the part that distinguishes ids with the same node and time, or
 * {@code null} for all strategies that are not time-based
 * @since 0.1.0
 */
public record IdDescription(long id, String text, @Nullable Long ordinal, @Nullable Boolean reserved,
		@Nullable Instant time, @Nullable Long node, @Nullable Long tail) {

	/**
	 * Create a description.
	 * @throws IllegalArgumentException if the text is {@code null}
	 */
	public IdDescription {
		InvalidSettingException.requireGiven(IdDescription.class, "text", text);
	}

	/**
	 * Describe an id of a strategy that is not time-based.
	 * @param id the numeric form
	 * @param text the text form
	 * @param ordinal the position of the id in the order of the key space
	 * @param reserved whether the id is already reserved, or {@code null} if unknown
	 * @return the description
	 */
	public static IdDescription ofOrdinal(long id, String text, long ordinal, @Nullable Boolean reserved) {
		return new IdDescription(id, text, ordinal, reserved, null, null, null);
	}

	/**
	 * Describe an id of a time-based strategy.
	 * @param id the numeric form
	 * @param text the text form
	 * @param time the time in the id
	 * @param node the node that created the id
	 * @param tail the part that distinguishes ids with the same node and time
	 * @return the description
	 */
	public static IdDescription ofTime(long id, String text, Instant time, long node, long tail) {
		InvalidSettingException.requireGiven(IdDescription.class, "time", time);
		return new IdDescription(id, text, null, null, time, node, tail);
	}

}
