package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * How ids are made.
 *
 * @since 0.1.0
 */
public enum Strategy {

	/**
	 * Short keys in a disguised order that visits each key of the key space once.
	 */
	COPRIME,

	/**
	 * Consecutive numbers, reserved in blocks by each instance.
	 */
	SEQUENTIAL,

	/**
	 * Consecutive numbers in series, each of which belongs to one writer at a time.
	 */
	RECYCLED,

	/**
	 * Consecutive numbers without a gap, drawn in the caller's transaction.
	 */
	GAPLESS,

	/**
	 * Time, node and tail in a number of bits.
	 */
	SNOWFLAKE,

	/**
	 * Time, random digits and node in decimal.
	 */
	DECIMAL_UID,

	/**
	 * Node or prefix first, then date and time, in decimal.
	 */
	COMPOSITE;

	/**
	 * Return the name as it is written in configuration files.
	 * @return the name in lower case with dashes
	 */
	String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Return whether ids are made of time rather than taken from a counter.
	 */
	boolean isOfTime() {
		return switch (this) {
			case COPRIME, SEQUENTIAL, RECYCLED, GAPLESS -> false;
			case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> true;
		};
	}

	/**
	 * Return whether a group of properties, or a single one, has an effect on ids that
	 * are made this way.
	 * @param group the name below the generator's prefix
	 */
	boolean uses(String group) {
		return switch (group) {
			case "node", "clock" -> isOfTime();
			case "lease" -> isOfTime() || this == RECYCLED;
			default -> group.equals(id()) || Arrays.stream(values()).map(Strategy::id).noneMatch(group::equals);
		};
	}

	/**
	 * Return the strategy of a key space.
	 * @param definition begins with the name of the strategy
	 */
	static Optional<Strategy> ofDefinition(String definition) {
		return Arrays.stream(values()).filter((strategy) -> definition.startsWith(strategy.id() + " ")).findFirst();
	}

}
