package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

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

	/** The properties that only scoped generators use. */
	static final Set<String> OF_SCOPES = Set.of("scoped", "period", "zone", "max-scopes", "text.pattern");

	/**
	 * Return the name as it is written in configuration files.
	 * @return the name in lower case with dashes
	 */
	public String id() {
		return nameOf(this);
	}

	/**
	 * Return the name of any constant as it is written in configuration files.
	 */
	static String nameOf(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Return the property that sets the end of the key space, below the generator's
	 * prefix.
	 */
	String bound() {
		return id() + switch (this) {
			case COPRIME -> ".max-length";
			case SEQUENTIAL, GAPLESS -> ".end";
			case RECYCLED -> ".capacity";
			case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> ".epoch";
		};
	}

	/**
	 * Return whether ids are built from the time rather than taken from a counter.
	 * @return whether they are
	 */
	public boolean isOfTime() {
		return switch (this) {
			case COPRIME, SEQUENTIAL, RECYCLED, GAPLESS -> false;
			case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> true;
		};
	}

	/**
	 * Return whether a property has an effect on ids that are made this way.
	 * @param property the name below the generator's prefix
	 */
	boolean uses(String property) {
		if (OF_SCOPES.contains(property)) {
			return this == GAPLESS;
		}
		String group = property.split("\\.", 2)[0];
		return switch (group) {
			case "node", "clock" -> isOfTime();
			case "lease" -> isOfTime() || this == RECYCLED;
			case "block" -> usesOfBlock(property);
			default -> group.equals(id()) || ofId(group).isEmpty();
		};
	}

	private boolean usesOfBlock(String property) {
		return switch (property) {
			case "block.size", "block.outage-reserve" -> this == COPRIME || this == SEQUENTIAL || this == RECYCLED;
			// windows of series keep their size
			case "block.max-size" -> this == COPRIME || this == SEQUENTIAL;
			default -> true;
		};
	}

	/**
	 * Return the strategy of a name.
	 * @param id the name as {@link #id()} returns it
	 */
	static Optional<Strategy> ofId(String id) {
		return Arrays.stream(values()).filter((strategy) -> strategy.id().equals(id)).findFirst();
	}

	/**
	 * Return the strategy of a key space.
	 * @param definition begins with the name of the strategy
	 * @return the strategy, empty if it is not known
	 */
	public static Optional<Strategy> ofDefinition(String definition) {
		return Arrays.stream(values()).filter((strategy) -> definition.startsWith(strategy.id() + " ")).findFirst();
	}

}
