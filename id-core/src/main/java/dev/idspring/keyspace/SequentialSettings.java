package dev.idspring.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * What a user says about a key space of consecutive numbers, in which every instance
 * takes a block at a time ({@code sequential}), or every transaction the very next number
 * ({@code gapless}).
 *
 * @param strategy what the definition begins with: the strategy that hands the numbers
 * out
 * @param start the first number, from 0 to 9223372036854775806; fixed when the key space
 * is created
 * @param end the last number, from {@code start} to 9223372036854775806; may be raised
 * @since 0.1.0
 */
public record SequentialSettings(String strategy, long start, long end) implements KeySpaceSettings {

	/**
	 * The highest possible end: the number of keys must be a {@code long} too.
	 */
	public static final long MAX_END = Long.MAX_VALUE - 1;

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public SequentialSettings {
		if (start < 0 || start > MAX_END) {
			throw new IllegalArgumentException(strategy + ".start is " + start + " but must be from 0 to " + MAX_END);
		}
		if (end < start || end > MAX_END) {
			throw new IllegalArgumentException(strategy + ".end is " + end + " but must be from " + strategy
					+ ".start, " + start + ", to " + MAX_END);
		}
	}

	@Override
	public KeySpace resolve(@Nullable String storedDefinition) {
		long capacity = this.end - this.start + 1;
		return new ConsecutiveKeySpace(this.start, capacity, capacity, this.strategy + " start=" + this.start,
				this.strategy + " from " + this.start, this.strategy + ".end");
	}

}
