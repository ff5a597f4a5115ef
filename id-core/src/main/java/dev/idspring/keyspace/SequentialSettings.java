package dev.idspring.keyspace;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * What a user says about a key space of consecutive numbers, in which every instance
 * takes a block at a time ({@code sequential}), or every transaction the very next number
 * ({@code gapless}).
 *
 * @param strategy what the definition begins with: the strategy that hands the numbers
 * out, {@code sequential} or {@code gapless}
 * @param start the first number, from 0 to 9223372036854775806; fixed when the key space
 * is created
 * @param end the last number, from {@code start} to 9223372036854775806; may be raised
 * @since 0.1.0
 */
public record SequentialSettings(String strategy, long start, long end) implements KeySpaceSettings {

	/**
	 * The strategy by which every instance takes a block at a time.
	 */
	public static final String SEQUENTIAL = "sequential";

	/**
	 * The strategy by which every transaction takes the very next number.
	 */
	public static final String GAPLESS = "gapless";

	/**
	 * The highest possible end: the number of keys must be a {@code long} too.
	 */
	public static final long MAX_END = Long.MAX_VALUE - 1;

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public SequentialSettings {
		InvalidSettingException.require(SEQUENTIAL.equals(strategy) || GAPLESS.equals(strategy),
				SequentialSettings.class, "strategy", strategy, "must be " + SEQUENTIAL + " or " + GAPLESS);
		InvalidSettingException.requireRange(SequentialSettings.class, "start", start, 0L, MAX_END);
		InvalidSettingException.require(end >= start && end <= MAX_END, SequentialSettings.class, "end", end,
				"must be from %s, " + start + ", to " + MAX_END, "start");
	}

	@Override
	public KeySpace resolve(@Nullable String storedDefinition) {
		long capacity = this.end - this.start + 1;
		return new ConsecutiveKeySpace(this.start, capacity, capacity, this.strategy + " start=" + this.start,
				this.strategy + " from " + this.start, "end");
	}

}
