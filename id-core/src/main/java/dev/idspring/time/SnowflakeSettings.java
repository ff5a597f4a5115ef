package dev.idspring.time;

import java.time.Instant;
import java.util.Locale;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.TextForm;
import dev.idspring.time.TimeScheme.Tail;

/**
 * The settings of ids that consist of a time, a node and a tail, as in the layout that
 * Twitter published. The tail distinguishes ids of the same node and millisecond. Each
 * part has a configurable number of bits.
 *
 * @param epoch the instant at which the time is 0
 * @param timeBits the number of bits of the time, 1 to 62
 * @param nodeBits the number of bits of the node, 0 to 62
 * @param tailBits the number of bits of the tail, 0 to 62. The three parts together have
 * at most 63 bits, so that ids are never negative
 * @param tail how the tails of ids are chosen
 * @since 0.1.0
 */
public record SnowflakeSettings(Instant epoch, int timeBits, int nodeBits, int tailBits, Tail tail) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public SnowflakeSettings {
		TimeScheme.verifyEpoch(SnowflakeSettings.class, epoch);
		InvalidSettingException.requireRange(SnowflakeSettings.class, "timeBits", timeBits, 1, 62);
		InvalidSettingException.requireRange(SnowflakeSettings.class, "nodeBits", nodeBits, 0, 62);
		InvalidSettingException.requireRange(SnowflakeSettings.class, "tailBits", tailBits, 0, 62);
		InvalidSettingException.requireGiven(SnowflakeSettings.class, "tail", tail);
		int sum = timeBits + nodeBits + tailBits;
		if (sum > 63) {
			throw new InvalidSettingException(SnowflakeSettings.class, "timeBits", timeBits,
					"adds up to " + sum + " bits with %s (" + nodeBits + ") and %s (" + tailBits
							+ "): ids of more than 63 bits would be negative. Reduce one or more of these settings by "
							+ (sum - 63) + " in total",
					"nodeBits", "tailBits");
		}
	}

	/**
	 * Return the scheme with these settings.
	 * @return the scheme, with a decimal text form
	 */
	public TimeScheme scheme() {
		return new TimeScheme("snowflake",
				"epoch=" + this.epoch + " time-bits=" + this.timeBits + " node-bits=" + this.nodeBits + " tail-bits="
						+ this.tailBits,
				this.timeBits + " + " + this.nodeBits + " + " + this.tailBits + " bits, "
						+ this.tail.name().toLowerCase(Locale.ROOT).replace('_', '-') + " tail",
				TimeLayout.bits(this.epoch, this.timeBits, this.nodeBits, this.tailBits), this.tail,
				TextForm.decimal());
	}

	/**
	 * Predefined layouts.
	 *
	 * @since 0.1.0
	 */
	public enum Preset {

		/**
		 * The default layout, with 41 bits for the time, 10 for the node and 12 for the
		 * tail. It has 1,024 nodes with 4,096 ids per millisecond each, until 2093.
		 */
		STANDARD("2024-01-01T00:00:00Z", 41, 10, 12, Tail.ROLLING),

		/**
		 * The layout and epoch of Twitter, until 2080.
		 */
		TWITTER("2010-11-04T01:42:54.657Z", 41, 10, 12, Tail.SEQUENCE),

		/**
		 * The layout and epoch of Instagram, but with one bit less for the time, because
		 * ids that use all 64 bits become negative. It has 8,192 nodes with 1,024 ids per
		 * millisecond each, until 2046.
		 */
		INSTAGRAM("2011-08-24T21:07:01.721Z", 40, 13, 10, Tail.FREE_RUNNING),

		/**
		 * A layout with a random tail. Compared with the default layout, the tail has one
		 * bit more and the time has one bit less. It has 1,024 nodes with 8,192 ids per
		 * millisecond each, until 2058.
		 */
		RANDOM_TAIL("2024-01-01T00:00:00Z", 40, 10, 13, Tail.RANDOM),

		/**
		 * A layout of 53 bits, which JavaScript numbers represent exactly. It has 32
		 * nodes with 128 ids per millisecond each, until 2093.
		 */
		JAVASCRIPT("2024-01-01T00:00:00Z", 41, 5, 7, Tail.ROLLING);

		private final SnowflakeSettings settings;

		Preset(String epoch, int timeBits, int nodeBits, int tailBits, Tail tail) {
			this.settings = new SnowflakeSettings(Instant.parse(epoch), timeBits, nodeBits, tailBits, tail);
		}

		/**
		 * Return the settings of the preset.
		 * @return the settings
		 */
		public SnowflakeSettings settings() {
			return this.settings;
		}

	}

}
