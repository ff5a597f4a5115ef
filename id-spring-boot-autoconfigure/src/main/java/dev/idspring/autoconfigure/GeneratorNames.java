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
import java.util.StringJoiner;
import java.util.stream.Collectors;

import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Collects the names of the generators below {@code ids.generators}. A name has up to 64
 * letters, digits, dashes and underscores, and begins with a letter.
 * <ul>
 * <li>Spring Boot treats names that differ only in case, dashes and underscores as equal.
 * Two spellings of a name are rejected, because two generators may be intended.</li>
 * <li>A name with other characters is rejected, because Spring Boot would drop them.</li>
 * <li>Environment variables cannot contain dashes. A variable belongs to the generator
 * whose name it contains without dashes, or with underscores in place of dashes.</li>
 * <li>A variable that belongs to no generator, but ends with the name of a setting,
 * creates a generator.</li>
 * </ul>
 */
final class GeneratorNames {

	private static final ConfigurationPropertyName GENERATORS = ConfigurationPropertyName.of("ids.generators");

	/** The index of the generator's name among the elements of a property name. */
	private static final int NAME_INDEX = GENERATORS.getNumberOfElements();

	/** The names that YAML produces from unquoted keys such as {@code no:}. */
	private static final Set<String> YAML_LITERALS = Set.of("true", "false", "null");

	/** The maximum number of names in a message. */
	private static final int MAX_LISTED_NAMES = 20;

	/** The names, keyed by their {@linkplain #uniform uniform form}. */
	private final Map<String, Spelling> spellings = new LinkedHashMap<>();

	/**
	 * Collect the names of the generators.
	 * @param environment the environment with the properties
	 * @return the names, in the order of precedence of their sources; names that occur
	 * only in environment variables are last
	 * @throws IdSetupException if a name cannot be used
	 */
	static Set<String> of(Environment environment) {
		GeneratorNames names = new GeneratorNames();
		List<ConfigurationPropertyName> variables = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
					&& source instanceof IterableConfigurationPropertySource iterable) {
				for (ConfigurationPropertyName name : iterable) {
					if (GENERATORS.isAncestorOf(name)) {
						verifyNotList(name);
						verifyNotScalar(name, source);
						variables.add(name);
					}
				}
			}
			else if (source.getUnderlyingSource() instanceof EnumerablePropertySource<?> properties) {
				names.collect(source, properties);
			}
		}
		Set<String> known = names.names();
		for (ConfigurationPropertyName variable : variables) {
			if (owner(variable, known).isEmpty() && ConfigurationCheck.isGeneratorProperty(variable, NAME_INDEX + 1)) {
				Spelling name = Spelling.of(variable, null);
				names.spellings.putIfAbsent(uniform(name.name()), name);
			}
		}
		return names.names();
	}

	private Set<String> names() {
		Set<String> names = new LinkedHashSet<>();
		for (Spelling name : this.spellings.values()) {
			names.add(name.name());
		}
		return names;
	}

	/**
	 * Find the generator that a property belongs to. If several names match, the longest
	 * one wins. For example, the variable {@code IDS_GENERATORS_PRODUCT_CODES_BLOCK_SIZE}
	 * belongs to {@code product-codes} rather than to {@code product}.
	 * @param property the name of the property, which may be an environment variable
	 * @param names the names of the generators
	 */
	static Optional<String> owner(ConfigurationPropertyName property, Collection<String> names) {
		String rest = elementsFrom(property, NAME_INDEX);
		return names.stream()
			.filter((name) -> rest.startsWith(uniform(name) + ".")
					|| rest.startsWith(name.toLowerCase(Locale.ROOT).replaceAll("[-_]", ".") + "."))
			.max(Comparator.comparingInt(String::length));
	}

	/**
	 * Return the number of elements of a property name up to and including the name of
	 * the generator. In an environment variable, that name may have several elements.
	 */
	static int endOfName(ConfigurationPropertyName property, String generator) {
		boolean isOneElement = elementsFrom(property, NAME_INDEX).startsWith(uniform(generator) + ".");
		return NAME_INDEX + (isOneElement ? 1 : generator.split("[-_]").length);
	}

	/**
	 * Return the elements of a property name from an index on, in their
	 * {@linkplain #uniform uniform form} and joined by dots.
	 */
	static String elementsFrom(ConfigurationPropertyName name, int from) {
		StringJoiner elements = new StringJoiner(".");
		for (int i = from; i < name.getNumberOfElements(); i++) {
			elements.add(name.getElement(i, Form.UNIFORM));
		}
		return elements.toString();
	}

	/**
	 * Verify that a name can be the name of a generator.
	 */
	static void verify(String name) {
		if (uniform(name).equals(GeneratorPropertiesBinder.DEFAULT_NAME)) {
			throw new IdSetupException("ids.generators." + name + " is set.",
					"The default generator is configured directly under ids: remove ids.generators." + name + ".",
					List.of("ids.generators.default"), null);
		}
		if (uniform(name).equals("columns")) {
			throw new IdSetupException(
					"'" + name + "' cannot be the name of an id generator: /actuator/ids/columns lists key columns.",
					"Rename the generator.", List.of("ids.generators.columns"), null);
		}
		verifyIsText(name);
		if (!name.matches("[A-Za-z][A-Za-z0-9_-]{0,63}")) {
			throw invalidName(name, "ids.generators[" + name + "]");
		}
	}

	private static void verifyIsText(String name) {
		if (YAML_LITERALS.contains(name.toLowerCase(Locale.ROOT))) {
			throw new IdSetupException(
					"'" + name + "' cannot be the name of an id generator: without quotes, YAML reads yes,"
							+ " no, on, off, true, false and null as values, not as names.",
					"In YAML, quote the name if it is yes, no, on or off. Otherwise rename the generator.",
					List.of(GENERATORS + "[" + name + "]"), null);
		}
	}

	/**
	 * List at most {@link #MAX_LISTED_NAMES} names for a message.
	 */
	static String listed(Collection<String> names) {
		if (names.isEmpty()) {
			return "none";
		}
		int more = names.size() - MAX_LISTED_NAMES;
		return names.stream().limit(MAX_LISTED_NAMES).collect(Collectors.joining(", "))
				+ ((more > 0) ? " and " + more + " more" : "");
	}

	/**
	 * Return the uniform form of a name: only its letters and digits, in lower case.
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
				verifyUnchanged(name, property, origin);
				verifyIsText(name.getElement(NAME_INDEX, Form.ORIGINAL));
				verifyNotScalar(name, source);
				add(Spelling.of(name, origin));
			}
		}
	}

	private void add(Spelling name) {
		Spelling other = this.spellings.putIfAbsent(uniform(name.name()), name);
		if (other != null && !other.name().equals(name.name())) {
			throw new IdSetupException(
					other.description() + " and " + name.description()
							+ " are the same name: case, dashes and underscores do not distinguish generators.",
					"Write the name the same way everywhere or, if you mean two generators, rename one of them.",
					List.of(GENERATORS + "." + uniform(name.name())), null);
		}
	}

	/**
	 * Reject a name with characters that Spring Boot drops. Spring Boot keeps all
	 * characters of a name in brackets.
	 */
	private static void verifyUnchanged(ConfigurationPropertyName name, String property, @Nullable Origin origin) {
		String[] elements = property.split("\\.", NAME_INDEX + 2);
		String read = name.getElement(NAME_INDEX, Form.ORIGINAL);
		if (!name.chop(NAME_INDEX + 1).isLastElementIndexed() && elements.length > NAME_INDEX
				&& !elements[NAME_INDEX].split("\\[", 2)[0].equals(read)) {
			throw invalidName(elements[NAME_INDEX], new Spelling(elements[NAME_INDEX], origin).description());
		}
	}

	private static IdSetupException invalidName(String name, String where) {
		return new IdSetupException(where + ": '" + name + "' cannot be the name of an id generator.",
				"Use up to 64 letters, digits, dashes and underscores, beginning with a letter.",
				List.of(GENERATORS + "[" + name + "]"), null);
	}

	private static void verifyNotList(ConfigurationPropertyName name) {
		if (name.isNumericIndex(NAME_INDEX)) {
			throw new IdSetupException(GENERATORS + " is a list, but id generators have names.",
					"Write the settings of each generator under its name, as in " + GENERATORS
							+ ".orders.strategy, without the dashes of a list. A name begins with a letter.",
					List.of(name.chop(NAME_INDEX + 1).toString()), null);
		}
	}

	private static void verifyNotScalar(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		ConfigurationProperty property = (name.getNumberOfElements() == NAME_INDEX + 1)
				? source.getConfigurationProperty(name) : null;
		if (property != null && !String.valueOf(property.getValue()).isEmpty()) {
			String value = String.valueOf(property.getValue());
			throw new IdSetupException(
					name + " is '" + value + "', but the settings of an id generator belong under its name.",
					"Set " + name + ".strategy" + (Strategy.ofId(value).isPresent() ? " to " + value : "")
							+ " instead, or set the property that you mean.",
					List.of(name.toString()), null);
		}
	}

	/**
	 * The name of a generator as it is written in the configuration.
	 */
	private record Spelling(String name, @Nullable Origin origin) {

		static Spelling of(ConfigurationPropertyName property, @Nullable Origin origin) {
			return new Spelling(property.getElement(NAME_INDEX, Form.ORIGINAL), origin);
		}

		String description() {
			return GENERATORS + "." + this.name + ((this.origin != null) ? " (" + this.origin + ")" : "");
		}

	}

}
