package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.IdSetupException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.block.BlockSettings;
import dev.idspring.monitor.LowThreshold;
import org.springframework.core.env.Environment;

/**
 * Makes settings of properties, and names the property when a value is wrong.
 */
final class CheckedProperties {

	/** At the beginning, or with a dot in it: a word alone may be just a word. */
	private static final Pattern PROPERTY = Pattern.compile("^[a-z-]+(\\.[a-z-]+)?|(?<=[ ,])[a-z-]+\\.[a-z-]+");

	/** A value of a setting, which does not know how users write it. */
	private static final Pattern DURATION = Pattern.compile("(?<= is )PT[-0-9HMS.]+(?= but )");

	private static final Pattern MILLISECONDS = Pattern.compile("^(?<property>[a-z.-]+) is \\d+ms but ");

	private static final Pattern UNITLESS = Pattern.compile("\\d+");

	private final PropertyNames names = new PropertyNames();

	private final GeneratorPropertiesBinder binder;

	CheckedProperties(GeneratorPropertiesBinder binder) {
		this.binder = binder;
	}

	BlockSettings blockSettings(String name, GeneratorProperties properties, long maxSize) {
		GeneratorProperties.Block block = properties.block();
		return checked(name,
				() -> new BlockSettings(block.size(), maxSize, block.waitTimeout(), block.outageReserve()));
	}

	Duration waitTimeout(String name, GeneratorProperties properties) {
		return blockSettings(name, properties, properties.block().maxSize()).waitTimeout();
	}

	LowThreshold lowThreshold(String name, GeneratorProperties properties) {
		return checked(name, () -> lowThreshold(properties.health()));
	}

	private static LowThreshold lowThreshold(GeneratorProperties.Health health) {
		String percent = health.lowRemaining().strip();
		try {
			if (!percent.endsWith("%")) {
				// 0.1 may be meant as 10%
				throw new NumberFormatException("no percent sign");
			}
			percent = percent.substring(0, percent.length() - 1).strip();
			return new LowThreshold(Double.parseDouble(percent) / 100, health.lowHorizon());
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("health.low-remaining is '" + health.lowRemaining()
					+ "' but must be a percentage such as 10%, with the sign", ex);
		}
	}

	/**
	 * Turn what the settings say against a value into a failure that names the property.
	 * The messages of the settings begin with the name of the property below the
	 * generator's prefix, and may name more of them.
	 */
	<T> T checked(String name, Supplier<T> settings) {
		try {
			return settings.get();
		}
		catch (IllegalArgumentException ex) {
			String message = DURATION.matcher(String.valueOf(ex.getMessage()))
				.replaceAll((found) -> Durations.print(Duration.parse(found.group())));
			String problem = PROPERTY.matcher(message)
				.replaceAll((found) -> Matcher.quoteReplacement(full(name, found.group())));
			throw new IdSetupException("The settings of id generator '" + name + "' are wrong: " + problem + ".",
					"Correct the value." + missingUnit(name, message), ex);
		}
	}

	/**
	 * Return what to write instead, if the value that is wrong is a time without a unit.
	 */
	private String missingUnit(String name, String message) {
		Matcher duration = MILLISECONDS.matcher(message);
		if (!duration.find()) {
			return "";
		}
		String property = duration.group("property");
		return this.binder
			.value(this.binder.isOwn(name, property) ? name : GeneratorPropertiesBinder.DEFAULT_NAME, property)
			.map(String::strip)
			.filter((value) -> UNITLESS.matcher(value).matches())
			.map((value) -> " " + value + " without a unit is " + value + "ms: write " + value
					+ "s if seconds are meant.")
			.orElse("");
	}

	/**
	 * Return how long the store may take at start, before there are generators.
	 */
	static Duration storeTimeout(Environment environment, IdsProperties properties) {
		BlockSettings defaults = BlockSettings.defaults();
		return new CheckedProperties(new GeneratorPropertiesBinder(environment))
			.checked(GeneratorPropertiesBinder.DEFAULT_NAME,
					() -> new BlockSettings(defaults.size(), defaults.maxSize(), properties.block().waitTimeout(),
							defaults.outageReserve()))
			.waitTimeout();
	}

	private String full(String name, String word) {
		return this.names.ofGenerators().contains(word) ? property(name, word) : word;
	}

	/**
	 * Explain a definition that differs from the stored one by the properties it is made
	 * of.
	 */
	KeySpaceMismatchException explained(String name, GeneratorProperties properties, KeySpaceMismatchException ex) {
		String stored = ex.getStored();
		String configured = ex.getConfigured();
		if (stored == null || configured == null) {
			return ex;
		}
		String difference = new DefinitionChange(properties.strategy(), stored, configured)
			.properties(this.names.ofGenerators())
			.stream()
			.map((property) -> property(name, property))
			.collect(Collectors.joining(", "));
		return new KeySpaceMismatchException("Id generator '" + name + "' cannot use its key space. " + ex.getMessage()
				+ (difference.isEmpty() ? "" : " Look at " + difference + "."), ex);
	}

	/**
	 * Return the full name of a property, as it stands in the configuration or, if it is
	 * not set, as it is to be set for this generator alone.
	 */
	String property(String name, String property) {
		boolean inherited = !this.binder.isOwn(name, property)
				&& this.binder.isOwn(GeneratorPropertiesBinder.DEFAULT_NAME, property);
		return inherited ? own(GeneratorPropertiesBinder.DEFAULT_NAME, property) : own(name, property);
	}

	/**
	 * Return the full name of a property that is to be set for one generator alone.
	 */
	static String own(String name, String property) {
		return GeneratorPropertiesBinder.prefix(name) + "." + property;
	}

}
