package dev.idspring.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * What a user says about a key space of consecutive numbers, in which every instance
 * takes a block at a time.
 *
 * @param start the first number, from 0 to 9223372036854775806; fixed when the key space
 * is created
 * @param end the last number, from {@code start} to 9223372036854775806; may be raised
 * @since 0.1.0
 */
public record SequentialSettings(long start, long end) implements KeySpaceSettings {

	/**
	 * The highest possible end: the number of keys must be a {@code long} too.
	 */
	public static final long MAX_END = DecimalKeySpace.MAX_END;

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public SequentialSettings {
		DecimalKeySpace.verifyRange(SequentialSettings.class, start, end);
	}

	@Override
	public KeySpace resolve(@Nullable String storedDefinition) {
		return DecimalKeySpace.of("sequential", this.start, this.end);
	}

}
