package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.idspring.IdSetupException;
import dev.idspring.block.BlockSettings;
import dev.idspring.monitor.LowMark;

/**
 * Makes settings of properties, and names the property when a value is wrong.
 */
final class CheckedProperties {

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

	LowMark lowMark(String name, GeneratorProperties properties) {
		return checked(name, () -> lowMark(properties.health()));
	}

	private static LowMark lowMark(GeneratorProperties.Health health) {
		String percent = health.lowRemaining().strip();
		percent = percent.endsWith("%") ? percent.substring(0, percent.length() - 1).strip() : percent;
		try {
			return new LowMark(Double.parseDouble(percent) / 100, health.lowHorizon());
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(
					"health.low-remaining is '" + health.lowRemaining() + "' but must be a percentage such as 10%", ex);
		}
	}

	/**
	 * Turn what the settings say against a value into a failure that names the property.
	 * The messages of the settings begin with the name of the property below the
	 * generator's prefix.
	 */
	<T> T checked(String name, Supplier<T> settings) {
		try {
			return settings.get();
		}
		catch (IllegalArgumentException ex) {
			String message = String.valueOf(ex.getMessage());
			String property = message.split(" ", 2)[0];
			throw new IdSetupException(
					"The settings of id generator '" + name + "' are wrong: "
							+ message.replaceFirst("^" + Pattern.quote(property), property(name, property)) + ".",
					"Correct the value.", ex);
		}
	}

	/**
	 * Return the full name of a property, as it stands in the configuration.
	 */
	String property(String name, String property) {
		boolean own = this.binder.isOwn(name, property);
		return GeneratorPropertiesBinder.prefix(own ? name : GeneratorPropertiesBinder.DEFAULT_NAME) + "." + property;
	}

}
