package dev.idspring.keyspace;

import java.util.OptionalLong;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;
import dev.idspring.text.TextSettings;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a key space. The value of an unset optional setting is chosen when the
 * key space is created, and read from the stored definition afterwards.
 *
 * @since 0.1.0
 */
public interface KeySpaceSettings {

	/**
	 * Build the key space.
	 * @param storedDefinition the {@link KeySpace#definition() definition} with which the
	 * key space was created, or {@code null} if the key space does not exist yet. The
	 * stored definition supplies unset values, but never overrides a setting. To detect
	 * changed settings, compare the stored definition with that of the returned key space
	 * @return the key space
	 */
	KeySpace resolve(@Nullable String storedDefinition);

	/**
	 * Return the settings of a key space that applies the pseudo-random generator of Park
	 * and Miller to consecutive seeds: {@code key = 16807 * seed mod (2^31 - 1)} for the
	 * seeds 1, 2, 3 and so on. Each number from 1 to 2<sup>31</sup> - 2 is the key of
	 * exactly one seed. The text form is decimal without leading zeros.
	 * <p>
	 * {@link CoprimeSettings} uses the same formula with another modulus. Because seed 0
	 * is not used here, the key of ordinal i is that of seed i + 1.
	 * @return settings without parameters
	 * @see <a href="https://doi.org/10.1145/63039.63042">Stephen K. Park, Keith W.
	 * Miller: Random number generators: good ones are hard to find, CACM 31 (1988)</a>
	 */
	static KeySpaceSettings parkMiller() {
		long modulus = 2_147_483_647L;
		long multiplier = 16_807L;
		KeySpace keySpace = new DecimalKeySpace("park-miller modulus=" + modulus + " multiplier=" + multiplier,
				"park-miller", null, 1, modulus - 1, modulus - 1, new CoprimeCycle(modulus, multiplier, 0));
		return (storedDefinition) -> keySpace;
	}

	/**
	 * The settings of a key space of consecutive numbers. Each instance reserves numbers
	 * in blocks.
	 *
	 * @param start the first number, from 0 to 9223372036854775806; fixed when the key
	 * space is created
	 * @param end the last number, from {@code start} to 9223372036854775806; may be
	 * raised
	 * @since 0.1.0
	 */
	record SequentialSettings(long start, long end) implements KeySpaceSettings {

		/**
		 * The highest possible end. If the start is 0, the number of keys is one higher
		 * than the end, and must also fit in a {@code long}.
		 */
		public static final long MAX_END = DecimalKeySpace.MAX_END;

		/**
		 * Create settings.
		 * @throws IllegalArgumentException if a value is out of range; the message names
		 * the value
		 */
		public SequentialSettings {
			DecimalKeySpace.verifyRange(SequentialSettings.class, start, end);
		}

		@Override
		public KeySpace resolve(@Nullable String storedDefinition) {
			return DecimalKeySpace.of("sequential", this.start, this.end);
		}

	}

	/**
	 * The settings of a key space of consecutive numbers without gaps. Each number is
	 * drawn in the transaction that uses it.
	 *
	 * @param start the first number, from 0 to 9223372036854775806; fixed when the key
	 * space is created
	 * @param end the last number, from {@code start} to 9223372036854775806; may be
	 * raised
	 * @since 0.1.0
	 */
	record GaplessSettings(long start, long end) implements KeySpaceSettings {

		/**
		 * Create settings.
		 * @throws IllegalArgumentException if a value is out of range; the message names
		 * the value
		 */
		public GaplessSettings {
			DecimalKeySpace.verifyRange(GaplessSettings.class, start, end);
		}

		@Override
		public KeySpace resolve(@Nullable String storedDefinition) {
			return DecimalKeySpace.of("gapless", this.start, this.end);
		}

	}

	/**
	 * The settings of consecutive numbers without gaps in each scope, such as a tenant.
	 *
	 * @param start the first number of a scope, from 0 to 9223372036854775806; fixed when
	 * the key space is created
	 * @param end the last number of a scope, from {@code start} to 9223372036854775806;
	 * may be raised
	 * @param period how often the numbers of a scope restart; fixed when the key space is
	 * created
	 * @param pattern the pattern of the text form, which must be valid for the period;
	 * fixed when the key space is created
	 * @since 0.1.0
	 */
	record ScopedSettings(long start, long end, ScopePeriod period, ScopePattern pattern) {

		/**
		 * Create settings.
		 * @throws IllegalArgumentException if a value is out of range; the message names
		 * the value
		 */
		public ScopedSettings {
			DecimalKeySpace.verifyRange(ScopedSettings.class, start, end);
			InvalidSettingException.requireGiven(ScopedSettings.class, "period", period);
			InvalidSettingException.requireGiven(ScopedSettings.class, "pattern", pattern);
			pattern.verify(period);
		}

		/**
		 * Build the key space, which is the same for all scopes.
		 * @param text the prefix and the check character of the text form; fixed when the
		 * key space is created
		 * @return the key space
		 */
		public KeySpace keySpace(TextSettings text) {
			InvalidSettingException.requireGiven(ScopedSettings.class, "text", text);
			String definition = " scoped period=" + this.period.id() + this.pattern.definition(text);
			return DecimalKeySpace.of("gapless", this.start, this.end, definition);
		}

	}

	/**
	 * The settings of a key space that is divided into series. Series s consists of the
	 * numbers from {@code s * seriesSize + 1} to {@code (s + 1) * seriesSize}. A series
	 * has at most one owner at a time, which reserves consecutive numbers from it.
	 *
	 * @param seriesSize the number of keys in a series, at least 1; fixed when the key
	 * space is created
	 * @param capacity the number of keys, which is also the highest key, from
	 * {@code seriesSize} to 9223372036854000000; rounded down to a multiple of
	 * {@code seriesSize}; may be raised
	 * @since 0.1.0
	 */
	record RecycledSettings(long seriesSize, long capacity) implements KeySpaceSettings {

		private static final String DEFINITION = "recycled series-size=";

		/**
		 * The highest possible capacity.
		 */
		public static final long MAX_CAPACITY = 9_223_372_036_854_000_000L;

		/**
		 * Create settings.
		 * @throws IllegalArgumentException if a value is out of range; the message names
		 * the value
		 */
		public RecycledSettings {
			InvalidSettingException.requireRange(RecycledSettings.class, "seriesSize", seriesSize, 1L, MAX_CAPACITY);
			InvalidSettingException.require(capacity >= seriesSize && capacity <= MAX_CAPACITY, RecycledSettings.class,
					"capacity", capacity, "must be from %s (" + seriesSize + ") to " + MAX_CAPACITY, "seriesSize");
		}

		/**
		 * Read the size of the series from the definition of a key space.
		 * @param definition the definition of any key space
		 * @return the size, or empty if the key space has no series
		 */
		public static OptionalLong seriesSize(String definition) {
			String keys = TextSettings.withoutText(definition);
			return keys.startsWith(DEFINITION) ? OptionalLong.of(Long.parseLong(keys.substring(DEFINITION.length())))
					: OptionalLong.empty();
		}

		@Override
		public KeySpace resolve(@Nullable String storedDefinition) {
			return new DecimalKeySpace(DEFINITION + this.seriesSize, "recycled, series of " + this.seriesSize,
					"capacity", 1, this.capacity - this.capacity % this.seriesSize, this.seriesSize, null);
		}

	}

}
