package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Collects the names under {@code ids.generators} as they are written: up to 64 letters,
 * digits, dashes and underscores, beginning with a letter. Spring Boot treats two names
 * as equal if they differ only in case, dashes and underscores, and it ignores characters
 * that it does not know. Such names are rejected here, since they would create one
 * generator where two were meant, or one of another name. An environment variable is
 * limited to letters and digits: it belongs to the generator whose name is equal without
 * dashes, or with underscores in place of dashes. If there is none, the variable creates
 * one, but only if it ends like a property of generators.
 */
final class GeneratorNames {

	private static final ConfigurationPropertyName GENERATORS = ConfigurationPropertyName.of("ids.generators");

	private static final int POSITION = GENERATORS.getNumberOfElements();

	/** The text that remains of keys such as {@code no:} after YAML has parsed them. */
	private static final Set<String> OTHER_THAN_TEXT = Set.of("true", "false", "null");

	/** Keyed by the names in the uniform form. */
	private final Map<String, Written> written = new LinkedHashMap<>();

	/**
	 * Collect names.
	 * @param environment has the properties
	 * @return the names; those from the source of the highest precedence come first
	 * @throws IdSetupException if a name cannot be used
	 */
	static Set<String> of(Environment environment) {
		GeneratorNames names = new GeneratorNames();
		List<ConfigurationPropertyName> variables = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
					&& source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().filter(GENERATORS::isAncestorOf).forEach((name) -> {
					verifyNotList(name);
					verifyNotScalar(name, source);
					variables.add(name);
				});
			}
			else if (source.getUnderlyingSource() instanceof EnumerablePropertySource<?> properties) {
				names.collect(source, properties);
			}
		}
		Set<String> known = names.names();
		for (ConfigurationPropertyName variable : variables) {
			if (owner(variable, known).isEmpty() && ConfigurationCheck.isOfGenerator(variable, POSITION + 1)) {
				Written name = Written.of(variable, null);
				names.written.putIfAbsent(uniform(name.name()), name);
			}
		}
		return names.names();
	}

	private Set<String> names() {
		return this.written.values().stream().map(Written::name).collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/**
	 * Find the generator that an environment variable belongs to: the one with the
	 * longest name, since {@code PRODUCT_CODES_BLOCK_SIZE} is not a property of
	 * {@code product}.
	 * @param variable the variable, as the name of a property
	 * @param names the names of the generators
	 */
	static Optional<String> owner(ConfigurationPropertyName variable, Collection<String> names) {
		String rest = below(variable, POSITION);
		return names.stream()
			.filter((name) -> rest.startsWith(uniform(name) + ".")
					|| rest.startsWith(name.toLowerCase(Locale.ROOT).replaceAll("[-_]", ".") + "."))
			.max(Comparator.comparingInt(String::length));
	}

	/**
	 * Return how many elements the name of a property has up to and including its
	 * generator.
	 */
	static int end(ConfigurationPropertyName property, String generator) {
		boolean whole = below(property, POSITION).startsWith(uniform(generator) + ".");
		return POSITION + (whole ? 1 : generator.split("[-_]").length);
	}

	/**
	 * Return the elements of a name from an index on, in the uniform form.
	 */
	static String below(ConfigurationPropertyName name, int from) {
		return IntStream.range(from, name.getNumberOfElements())
			.mapToObj((position) -> name.getElement(position, Form.UNIFORM))
			.collect(Collectors.joining("."));
	}

	/**
	 * Verify a name that becomes part of a bean's name.
	 */
	static void verify(String name) {
		if (name.equals(GeneratorPropertiesBinder.DEFAULT_NAME)) {
			throw new IdSetupException("ids.generators.default is set.",
					"The default generator is configured right under ids: remove ids.generators.default.",
					List.of("ids.generators.default"), null);
		}
		if (name.equals("columns")) {
			throw new IdSetupException("'columns' cannot be the name of an id generator: /actuator/ids/columns is not"
					+ " about a generator.", "Rename the generator.", List.of("ids.generators.columns"), null);
		}
		verifyIsText(name);
		if (!name.matches("[A-Za-z][A-Za-z0-9_-]{0,63}")) {
			throw invalid(name, "ids.generators[" + name + "]");
		}
	}

	private static void verifyIsText(String name) {
		if (OTHER_THAN_TEXT.contains(name.toLowerCase(Locale.ROOT))) {
			throw new IdSetupException(
					"'" + name + "' cannot be the name of an id generator: without quotes YAML reads yes,"
							+ " no, on, off, true, false and null as values and not as names.",
					"In YAML, quote the name if it is yes, no, on or off. Else rename the generator.",
					List.of(GENERATORS + "[" + name + "]"), null);
		}
	}

	/**
	 * Return what is left of a name in an environment variable.
	 */
	static String uniform(String name) {
		return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
	}

	private void collect(ConfigurationPropertySource source, EnumerablePropertySource<?> properties) {
		for (String property : properties.getPropertyNames()) {
			ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
			if (GENERATORS.isAncestorOf(name)) {
				Origin origin = OriginLookup.getOrigin(properties, property);
				verifyNotList(name);
				verifyReadable(name, property, origin);
				verifyIsText(name.getElement(POSITION, Form.ORIGINAL));
				verifyNotScalar(name, source);
				add(Written.of(name, origin));
			}
		}
	}

	private void add(Written name) {
		Written other = this.written.putIfAbsent(uniform(name.name()), name);
		if (other != null && !other.name().equals(name.name())) {
			throw new IdSetupException(
					other.described() + " and " + name.described()
							+ " are the same name: case, dashes and underscores do not tell generators apart.",
					"Write it the same way everywhere or, if two generators are meant, rename one of them.",
					List.of(GENERATORS + "." + uniform(name.name())), null);
		}
	}

	/**
	 * Reject names with characters that Spring Boot drops because they are not in
	 * brackets.
	 */
	private static void verifyReadable(ConfigurationPropertyName name, String property, @Nullable Origin origin) {
		String[] elements = property.split("\\.", POSITION + 2);
		String read = name.getElement(POSITION, Form.ORIGINAL);
		if (!name.chop(POSITION + 1).isLastElementIndexed() && elements.length > POSITION
				&& !elements[POSITION].split("\\[", 2)[0].equals(read)) {
			throw invalid(elements[POSITION], new Written(elements[POSITION], origin).described());
		}
	}

	private static IdSetupException invalid(String name, String where) {
		return new IdSetupException("'" + name + "' cannot be the name of an id generator: " + where + ".",
				"Use up to 64 letters, digits, dashes and underscores, beginning with a letter.",
				List.of(GENERATORS + "[" + name + "]"), null);
	}

	private static void verifyNotList(ConfigurationPropertyName name) {
		if (name.isNumericIndex(POSITION)) {
			throw new IdSetupException(GENERATORS + " is a list, but id generators have names.",
					"Write the settings of each one below its name, as in " + GENERATORS
							+ ".orders.strategy, without the dashes of a list. A name begins with a letter.",
					List.of(name.chop(POSITION + 1).toString()), null);
		}
	}

	private static void verifyNotScalar(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		ConfigurationProperty property = (name.getNumberOfElements() == POSITION + 1)
				? source.getConfigurationProperty(name) : null;
		if (property != null && !String.valueOf(property.getValue()).isEmpty()) {
			String value = String.valueOf(property.getValue());
			throw new IdSetupException(
					name + " is '" + value + "', but the settings of an id generator stand below its name.",
					"Set " + name + ".strategy" + (Strategy.ofId(value).isPresent() ? " to " + value : "")
							+ " instead, or whatever is meant.",
					List.of(name.toString()), null);
		}
	}

	/**
	 * A name as it is written.
	 */
	private record Written(String name, @Nullable Origin origin) {

		static Written of(ConfigurationPropertyName property, @Nullable Origin origin) {
			return new Written(property.getElement(POSITION, Form.ORIGINAL), origin);
		}

		String described() {
			return GENERATORS + "." + this.name + ((this.origin != null) ? " (" + this.origin + ")" : "");
		}

	}

}
