package dev.idspring.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * What a user says about a key space of consecutive numbers, of which every transaction
 * takes the very next one.
 *
 * @param start the first number, from 0 to 9223372036854775806; fixed when the key space
 * is created
 * @param end the last number, from {@code start} to 9223372036854775806; may be raised
 * @since 0.1.0
 */
public record GaplessSettings(long start, long end) implements KeySpaceSettings {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public GaplessSettings {
		DecimalKeySpace.verifyRange(GaplessSettings.class, start, end);
	}

	@Override
	public KeySpace resolve(@Nullable String storedDefinition) {
		return DecimalKeySpace.of("gapless", this.start, this.end);
	}

}
