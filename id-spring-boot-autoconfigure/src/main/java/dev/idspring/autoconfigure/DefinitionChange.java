package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the properties that make a definition differ from the stored one.
 */
final class DefinitionChange {

	private final Strategy strategy;

	private final String stored;

	private final String configured;

	DefinitionChange(Strategy strategy, String stored, String configured) {
		this.strategy = strategy;
		this.stored = stored;
		this.configured = configured;
	}

	/**
	 * Return the names of the properties below the generator's prefix.
	 * @param known the names of all properties of a generator
	 */
	List<String> properties(List<String> known) {
		Strategy before = Strategy.ofDefinition(this.stored).orElse(Strategy.COPRIME);
		if (before != this.strategy) {
			return List.of("strategy");
		}
		Set<String> parts = parts(this.configured);
		parts.removeAll(parts(this.stored));
		List<String> properties = new ArrayList<>();
		for (String part : parts) {
			String property = this.strategy.id() + "." + part.split("=", 2)[0];
			if (known.contains(property)) {
				properties.add(property);
			}
		}
		// settings that others follow from
		for (String property : List.of("preset", "prefix")) {
			if (known.contains(this.strategy.id() + "." + property)) {
				properties.add(this.strategy.id() + "." + property);
			}
		}
		return properties;
	}

	private static Set<String> parts(String definition) {
		return new LinkedHashSet<>(Arrays.asList(definition.split(" ")));
	}

}
