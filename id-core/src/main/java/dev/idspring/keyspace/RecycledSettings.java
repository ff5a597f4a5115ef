package dev.idspring.keyspace;

import java.util.OptionalLong;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * What a user says about a key space that is cut into series: the series s holds the
 * numbers from {@code s * seriesSize + 1} to {@code (s + 1) * seriesSize}. Each series
 * belongs to one writer at a time, who takes consecutive numbers from it.
 *
 * @param seriesSize how many numbers there are in a series, at least 1; fixed when the
 * key space is created
 * @param capacity how many numbers there are in all, which is also the highest one, at
 * least {@code seriesSize} and at most 9223372036854000000. Rounded down to whole series;
 * may be raised
 * @since 0.1.0
 */
public record RecycledSettings(long seriesSize, long capacity) implements KeySpaceSettings {

	private static final String DEFINITION = "recycled series-size=";

	/**
	 * The highest possible capacity.
	 */
	public static final long MAX_CAPACITY = 9_223_372_036_854_000_000L;

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public RecycledSettings {
		InvalidSettingException.requireRange(RecycledSettings.class, "seriesSize", seriesSize, 1L, MAX_CAPACITY);
		InvalidSettingException.require(capacity >= seriesSize && capacity <= MAX_CAPACITY, RecycledSettings.class,
				"capacity", capacity, "must be from %s, " + seriesSize + ", to " + MAX_CAPACITY, "seriesSize");
	}

	/**
	 * Read the size of the series from the definition of a key space.
	 * @param definition the definition of any key space
	 * @return the size, or empty if the key space has no series
	 */
	public static OptionalLong seriesSize(String definition) {
		return definition.startsWith(DEFINITION)
				? OptionalLong.of(Long.parseLong(definition.substring(DEFINITION.length()))) : OptionalLong.empty();
	}

	@Override
	public KeySpace resolve(@Nullable String storedDefinition) {
		return new DecimalKeySpace(DEFINITION + this.seriesSize, "recycled, series of " + this.seriesSize, "capacity",
				1, this.capacity - this.capacity % this.seriesSize, this.seriesSize, null);
	}

}
