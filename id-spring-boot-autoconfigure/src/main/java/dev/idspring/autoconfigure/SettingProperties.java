package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.block.BlockSettings;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.NodeSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/**
 * Knows by which property a setting of a generator is configured.
 */
final class SettingProperties {

	private static final Map<Class<?>, String> GROUPS = Map.of(BlockSettings.class, "block", ClockSettings.class,
			"clock", NodeSettings.class, "node");

	/** Parameters whose properties have other names, or stand in no group. */
	private static final Map<String, String> OTHERS = Map.of("lease", "lease", "number", "node.id", "keySpaceName",
			"key-space", "horizon", "health.low-horizon", "perInstance", "recycled.series-per-instance");

	private static final Pattern PERCENTAGE = Pattern.compile("(\\d+(?:\\.\\d+)?) *%");

	private final GeneratorPropertiesBinder binder;

	SettingProperties(GeneratorPropertiesBinder binder) {
		this.binder = binder;
	}

	/**
	 * Return the name of the property for a parameter, below the generator's prefix.
	 */
	static String of(Class<?> settings, String parameter, Strategy strategy) {
		return OTHERS.getOrDefault(parameter,
				GROUPS.getOrDefault(settings, strategy.id()) + "." + DataObjectPropertyName.toDashedForm(parameter));
	}

	/**
	 * Return the full name of a property, as it stands in the configuration or, if it is
	 * not set, as it is to be set for this generator alone.
	 */
	String property(String name, String property) {
		boolean inherited = !this.binder.isOwn(name, property)
				&& this.binder.isOwn(GeneratorPropertiesBinder.DEFAULT_NAME, property);
		return own(inherited ? GeneratorPropertiesBinder.DEFAULT_NAME : name, property);
	}

	/**
	 * Return the full name of a property that is to be set for one generator alone.
	 */
	static String own(String name, String property) {
		return GeneratorPropertiesBinder.prefix(name) + "." + property;
	}

	/**
	 * Read the percentage that stands for a share.
	 */
	LowThreshold lowThreshold(String name, GeneratorProperties.Health health) {
		Matcher percentage = PERCENTAGE.matcher(health.lowRemaining().strip());
		// 0.1 may be meant as 10%
		double share = percentage.matches() ? Double.parseDouble(percentage.group(1)) / 100 : Double.NaN;
		if (!(share <= 1)) {
			String property = property(name, "health.low-remaining");
			throw new IdSetupException(
					property + " is '" + health.lowRemaining()
							+ "' but must be a percentage such as 10%, with the sign, from 0% to 100%.",
					"Correct the value.", List.of(property), null);
		}
		return new LowThreshold(share, health.lowHorizon());
	}

	/**
	 * Return how long the store may take at start, before there are generators.
	 */
	Duration storeTimeout() {
		try {
			return BlockSettings
				.verifyWaitTimeout(this.binder.bind(GeneratorPropertiesBinder.DEFAULT_NAME).block().waitTimeout());
		}
		catch (InvalidSettingException ex) {
			throw explain(GeneratorPropertiesBinder.DEFAULT_NAME, Strategy.COPRIME, ex);
		}
	}

	/**
	 * Explain a setting that cannot be used by the property that it comes from.
	 */
	IdSetupException explain(String name, Strategy strategy, InvalidSettingException ex) {
		UnaryOperator<String> names = (parameter) -> property(name, of(ex.getSettings(), parameter, strategy));
		return explain(ex, names, "The settings of id generator '" + name + "' are wrong: ",
				missingUnit(names.apply(ex.getParameter()), ex.getValue()));
	}

	/**
	 * Explain a setting that is configured outside of the generators.
	 */
	static IdSetupException explain(InvalidSettingException ex, String prefix) {
		return explain(ex, (parameter) -> prefix + DataObjectPropertyName.toDashedForm(parameter), "", "");
	}

	private static IdSetupException explain(InvalidSettingException ex, UnaryOperator<String> names, String subject,
			String hint) {
		List<String> properties = new ArrayList<>(List.of(names.apply(ex.getParameter())));
		ex.getRelated().stream().map(names).forEach(properties::add);
		return new IdSetupException(subject + ex.describe(names) + ".", "Correct the value." + hint, properties, ex);
	}

	/**
	 * Return what to write instead, if the value that is wrong is a time without a unit.
	 */
	private String missingUnit(String property, @Nullable Object value) {
		String written = (value instanceof Duration) ? this.binder.value(property).orElse("").strip() : "";
		return written.matches("\\d+")
				? " " + written + " without a unit is " + written + "ms: write " + written + "s if seconds are meant."
				: "";
	}

	/**
	 * Explain a definition that differs from the stored one by the properties it is made
	 * of.
	 */
	IdSetupException explain(String name, Strategy strategy, KeySpaceMismatchException ex) {
		boolean otherStrategy = Strategy.ofDefinition(ex.getStored()).orElse(Strategy.COPRIME) != strategy;
		List<String> properties = otherStrategy ? List.of(property(name, "strategy"))
				: List.of(own(name, strategy.id()), own(GeneratorPropertiesBinder.DEFAULT_NAME, strategy.id()));
		return new IdSetupException(
				"Id generator '" + name + "' cannot use its key space. " + ex.getMessage() + " Look at "
						+ properties.get(0) + ".",
				"Put the settings back to what the key space was created with, or give the generator a new key space"
						+ " with " + own(name, "key-space") + ".",
				properties, ex);
	}

}
