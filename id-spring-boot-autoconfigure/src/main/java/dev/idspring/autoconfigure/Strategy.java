package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import dev.idspring.autoconfigure.GeneratorProperties.Coprime.Preset;
import org.jspecify.annotations.Nullable;

/**
 * How ids are generated.
 *
 * @since 0.1.0
 */
public enum Strategy {

	/**
	 * Short keys in an order that looks random. Each key of the key space is issued at
	 * most once.
	 */
	COPRIME,

	/**
	 * Consecutive numbers, reserved in blocks by each instance.
	 */
	SEQUENTIAL,

	/**
	 * Consecutive numbers within series, which are ranges of the key space. At most one
	 * instance at a time owns a series.
	 */
	RECYCLED,

	/**
	 * Consecutive numbers without gaps, drawn in the caller's transaction.
	 */
	GAPLESS,

	/**
	 * Numbers whose bits contain the time, the node, and a tail that distinguishes the
	 * ids of a node in the same millisecond.
	 */
	SNOWFLAKE,

	/**
	 * Numbers whose decimal digits contain the time, a random part and the node.
	 */
	DECIMAL_UID,

	/**
	 * Numbers whose decimal digits begin with the node or a prefix, followed by the date
	 * and time.
	 */
	COMPOSITE;

	/** The properties that only scoped generators use. */
	static final Set<String> SCOPE_PROPERTIES = Set.of("scoped", "period", "zone", "max-scopes", "text.pattern");

	/**
	 * Return the name as it is written in configuration files.
	 * @return the name in lower case with dashes
	 */
	public String id() {
		return nameOf(this);
	}

	/**
	 * Return the name of an enum constant as it is written in configuration files.
	 */
	static String nameOf(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Return the property that raises the end of an existing key space. Its name is
	 * relative to the prefix of the generator.
	 * @return the property, or {@code null} for time-based strategies. Their last id
	 * follows from the epoch, which must not change, because ids would repeat
	 */
	@Nullable String boundProperty() {
		return switch (this) {
			case COPRIME -> "coprime.max-length";
			case SEQUENTIAL, GAPLESS -> id() + ".end";
			case RECYCLED -> "recycled.capacity";
			case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> null;
		};
	}

	/**
	 * Return whether ids contain the time rather than the value of a counter.
	 * @return {@code true} if the strategy is time-based
	 */
	public boolean isTimeBased() {
		return switch (this) {
			case COPRIME, SEQUENTIAL, RECYCLED, GAPLESS -> false;
			case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> true;
		};
	}

	/**
	 * Return whether a property has an effect on generators of this strategy.
	 * @param property the name of the property, relative to the prefix of the generator
	 */
	boolean uses(String property) {
		if (SCOPE_PROPERTIES.contains(property)) {
			return this == GAPLESS;
		}
		String group = property.split("\\.", 2)[0];
		return switch (group) {
			case "node", "clock" -> isTimeBased();
			case "lease" -> isTimeBased() || this == RECYCLED;
			case "block" -> usesBlockProperty(property);
			default -> group.equals(id()) || ofId(group).isEmpty();
		};
	}

	private boolean usesBlockProperty(String property) {
		return switch (property) {
			case "block.size", "block.outage-reserve" -> this == COPRIME || this == SEQUENTIAL || this == RECYCLED;
			// the blocks of a series have a constant size
			case "block.max-size" -> this == COPRIME || this == SEQUENTIAL;
			default -> true;
		};
	}

	/**
	 * Return the strategy with the given name.
	 * @param id the name as {@link #id()} returns it
	 */
	static Optional<Strategy> ofId(String id) {
		return Arrays.stream(values()).filter((strategy) -> strategy.id().equals(id)).findFirst();
	}

	/**
	 * Return the strategy of a key space.
	 * @param definition the definition of the key space, which begins with the name of
	 * the strategy, or with the name of a preset of {@link #COPRIME}
	 * @return the strategy, or empty if it is not known
	 */
	public static Optional<Strategy> ofDefinition(String definition) {
		String name = definition.split(" ", 2)[0];
		return ofId(name.equals(nameOf(Preset.PARK_MILLER)) ? COPRIME.id() : name);
	}

}
