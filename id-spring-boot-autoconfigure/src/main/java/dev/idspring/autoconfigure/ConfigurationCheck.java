package dev.idspring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.GeneratorProperties.SecretKey;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Looks for properties below {@code ids} that cannot have an effect, or whose values are
 * probably not the intended ones.
 * <ul>
 * <li>A property of a named generator is rejected if it cannot have an effect on that
 * generator. Otherwise the generator would differ from what was intended. If a source of
 * higher precedence, such as a profile, has changed the strategy, the property is logged
 * instead.</li>
 * <li>A property that resembles a secret but has no effect is rejected. Otherwise the key
 * space would be created without a secret, and its ids would be permanently
 * guessable.</li>
 * <li>Settings directly below {@code ids} that no generator uses are only logged, because
 * several applications may share them. Unknown names are only logged, because they may
 * belong to other software, as environment variables often do. Properties that are
 * written under {@code spring.ids} or {@code id} by mistake are logged as well.</li>
 * <li>Durations without a unit are logged. Instants that are written as a number of
 * seconds or milliseconds are rejected. So are fractions where a whole number is
 * expected, and numbers and booleans where a string is expected: YAML reads 012 as 10,
 * and 042 as 34.</li>
 * </ul>
 */
final class ConfigurationCheck {

	private static final Log logger = LogFactory.getLog(ConfigurationCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	private static final ConfigurationPropertyName GENERATORS = PREFIX.append("generators");

	private static final String NEEDED_BY_JDBC = "org.springframework.boot.sql.init.DatabaseInitializationMode";

	/** Matches names that resemble the name of a secret but have no effect. */
	private static final Pattern MISNAMED_SECRET = Pattern.compile("\\.text\\.secrets?[.\\[](?!\\d+]\\.(key|from)$)");

	private static final Pattern LATER_SECRET = Pattern
		.compile("(.+\\.text\\.secrets)\\[([1-9]\\d{0,8})]\\.(key|from)");

	private static final Pattern INDEX = Pattern.compile("[.\\[]\\d+]?(?=\\.|$)");

	private final Environment environment;

	/** Prefixes that users are likely to confuse with {@code ids}. */
	private static final List<ConfigurationPropertyName> OTHER_PREFIXES = List
		.of(ConfigurationPropertyName.of("spring.ids"), ConfigurationPropertyName.of("id"));

	private static final Set<String> DATA_SOURCE_PROPERTIES = Set.of("url", "jdbcurl", "username", "password");

	/**
	 * The properties that are allowed below {@code ids.generators.<name>}, and their
	 * types.
	 */
	private static final Map<String, Class<?>> TYPES = types(GeneratorProperties.class, "");

	private static final List<String> GENERATOR_PROPERTIES = List.copyOf(TYPES.keySet());

	/** String properties whose values may be written as numbers. */
	private static final Set<String> NUMERIC_STRINGS = Set.of("text.secrets.from", "health.low-remaining");

	/**
	 * The properties that are only allowed directly below {@code ids}, and their types.
	 */
	private final Map<String, Class<?>> applicationProperties = types(IdsProperties.class, "");

	/** The strategies of the named generators, by the names of the generators. */
	private final Map<String, Strategy> strategies = new HashMap<>();

	private final Strategy defaultStrategy;

	ConfigurationCheck(GeneratorPropertiesBinder binder) {
		this.environment = binder.environment();
		this.applicationProperties.putAll(types(IdsRedisProperties.class, "redis."));
		if (ClassUtils.isPresent(NEEDED_BY_JDBC, getClass().getClassLoader())) {
			this.applicationProperties.putAll(types(IdsJdbcProperties.class, "jdbc."));
		}
		for (String name : binder.names()) {
			this.strategies.put(name, binder.bind(name).strategy());
		}
		this.defaultStrategy = binder.bind(GeneratorPropertiesBinder.DEFAULT_NAME).strategy();
	}

	/**
	 * Return the names of the properties that are bound to a record.
	 */
	static List<String> names(Class<?> type, String prefix) {
		return new ArrayList<>(types(type, prefix).keySet());
	}

	private static Map<String, Class<?>> types(Class<?> type, String prefix) {
		Map<String, Class<?>> types = new LinkedHashMap<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			if (component.getType().isRecord()) {
				types.putAll(types(component.getType(), name + "."));
			}
			else if (component.getType() == List.class) {
				types.putAll(types(SecretKey.class, name + "."));
			}
			else {
				types.put(name, component.getType());
			}
		}
		return types;
	}

	/**
	 * Run the checks.
	 * @throws IdSetupException if a property is rejected
	 */
	void run() {
		verifyUnboundValues();
		Set<ConfigurationPropertyName> seen = new HashSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				for (ConfigurationPropertyName name : iterable) {
					if (PREFIX.isAncestorOf(name) && seen.add(name)) {
						check(source, name);
					}
					else if (!isVariables(source)) {
						checkPrefix(source, name);
					}
				}
			}
		}
	}

	/**
	 * Verify the values of properties that nothing else binds at startup.
	 */
	private void verifyUnboundValues() {
		Binder binder = Binder.get(this.environment);
		binder.bind("ids.output", IdsProperties.Output.class);
		binder.bind("ids.columns", IdsProperties.Columns.class);
	}

	private static boolean isVariables(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
	}

	private List<String> known() {
		return Stream.concat(GENERATOR_PROPERTIES.stream(), this.applicationProperties.keySet().stream()).toList();
	}

	/**
	 * Log a property of the starter that is written below the wrong prefix.
	 */
	private void checkPrefix(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		for (ConfigurationPropertyName prefix : OTHER_PREFIXES) {
			if (prefix.isAncestorOf(name)) {
				ConfigurationPropertyName meant = PREFIX.append(name.subName(prefix.getNumberOfElements()));
				String property = find(meant, 1, known(), false);
				boolean ours = GENERATORS.isAncestorOf(meant) ? isGeneratorProperty(meant, 3)
						: property != null && (prefix.getNumberOfElements() > 1 || property.contains("."));
				if (ours) {
					log(source, name, "has no effect; did you mean " + meant + "?");
				}
			}
		}
	}

	private void check(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		verifySecret(source, name);
		if (!name.getElement(1, Form.UNIFORM).equals("generators")) {
			String property = find(name, 1, known(), isVariables(source));
			if (property == null) {
				verifyNoMap(name, 1);
				logUnknown(source, name, 1, known(), this.defaultStrategy);
				return;
			}
			checkValue(source, name, property);
			List<Strategy> users = users(property);
			if (!users.contains(this.defaultStrategy) && users.stream().noneMatch(this.strategies::containsValue)) {
				log(source, name, "has no effect: no id generator has a strategy that uses ids."
						+ (property.startsWith("block.") ? property : group(property)) + " (" + ids(users) + ")");
			}
		}
		else if (name.getNumberOfElements() > 3) {
			GeneratorNames.owner(name, this.strategies.keySet())
				.ifPresentOrElse((generator) -> checkOwn(source, name, generator),
						() -> log(source, name, "has no effect: it is not a property of any id generator. Declare the"
								+ " generator in a configuration file if its name has dashes"));
		}
	}

	/**
	 * Reject a secret that has no effect. Without a secret, the ids of a new key space
	 * would be permanently guessable. In an existing key space, the text form would not
	 * change at the point where the secret should take over.
	 */
	private static void verifySecret(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		if (MISNAMED_SECRET.matcher(name.toString()).find() && !isVariables(source)) {
			throw new IdSetupException(name + " has no effect, so anyone could guess the text form of ids.",
					TextProperties.HOW_TO_WRITE, List.of(name.toString()), null);
		}
		Matcher later = LATER_SECRET.matcher(name.toString());
		if (later.matches()) {
			ConfigurationPropertyName before = ConfigurationPropertyName
				.of(later.group(1) + "[" + (Integer.parseInt(later.group(2)) - 1) + "]");
			if (source.containsDescendantOf(before) == ConfigurationPropertyState.ABSENT) {
				throw new IdSetupException(
						name + " has no effect: there is no " + before + " in the same property source.",
						"Write the whole list in one file, or the whole list in environment variables. In a file,"
								+ " values may be placeholders.",
						List.of(name.toString()), null);
			}
		}
	}

	private void checkOwn(ConfigurationPropertySource source, ConfigurationPropertyName name, String generator) {
		Strategy strategy = Objects.requireNonNull(this.strategies.get(generator));
		int from = GeneratorNames.end(name, generator);
		String property = find(name, from, GENERATOR_PROPERTIES, isVariables(source));
		String chosen = GeneratorPropertiesBinder.ownProperty(generator, "strategy");
		if (property == null) {
			rejectApplicationProperty(name, from, isVariables(source));
			verifyNoMap(name, from);
			logUnknown(source, name, from, GENERATOR_PROPERTIES, strategy);
		}
		else if (!strategy.uses(property) && isOverridden(source, chosen)) {
			log(source, name, "has no effect: a source of higher precedence has set the strategy of id generator '"
					+ generator + "' to " + strategy.id());
		}
		else if (!strategy.uses(property)) {
			List<Strategy> users = users(property);
			throw new IdSetupException(
					name + " has no effect: the strategy of id generator '" + generator + "' is " + strategy.id() + ".",
					"Remove it, or set " + chosen + " to " + ((users.size() > 1) ? "one of " : "") + ids(users)
							+ ". A setting that several generators share may be directly under ids, as ids." + property
							+ ".",
					List.of(name.toString(), chosen), null);
		}
		else {
			checkValue(source, name, property);
		}
	}

	private void checkValue(ConfigurationPropertySource source, ConfigurationPropertyName name, String property) {
		Class<?> type = TYPES.getOrDefault(property, this.applicationProperties.get(property));
		ConfigurationProperty found = source.getConfigurationProperty(name);
		Object value = (found != null) ? found.getValue() : null;
		if (type == Duration.class && String.valueOf(value).strip().matches("0*[1-9]\\d*")) {
			log(source, name, "is " + value + " without a unit, which means " + value + "ms: write " + value
					+ "s if you mean seconds");
		}
		if (type == Instant.class && String.valueOf(value).strip().matches("-?\\d+")) {
			throw new IdSetupException(name + " is '" + value + "', which is not an instant.",
					IdSetupFailureAnalyzer.INSTANT, List.of(name.toString()), null);
		}
		if (type == String.class && (value instanceof Number || value instanceof Boolean)
				&& !NUMERIC_STRINGS.contains(property)) {
			throw new IdSetupException(
					name + " must be a string, but was read as "
							+ ((value instanceof Number) ? "a number" : "true or false")
							+ " and may have been converted from another value.",
					"Write the value as a string." + quote(value), List.of(name.toString()), null);
		}
		if ((type == int.class || type == long.class || type == Integer.class || type == Long.class)
				&& value instanceof Double) {
			throw new IdSetupException(name + " is " + value + " but must be a whole number.", "Correct the value.",
					List.of(name.toString()), null);
		}
	}

	/**
	 * Return a hint to quote the value, if YAML may have converted it from another value.
	 * Otherwise return an empty string.
	 */
	static String quote(@Nullable Object value) {
		String text = String.valueOf(value);
		if (text.matches("true|false")) {
			return " In YAML, quote the value: without quotes, yes, no, on and off are true or false.";
		}
		return text.matches("[-+]?\\d+(\\.\\d+)?(E\\d+)?")
				? " In YAML, quote the value: without quotes, 012 is 10, 0x1F is 31 and +10:00 is 600." : "";
	}

	/**
	 * Reject a pattern that YAML has read as a map. Otherwise Spring Boot would bind an
	 * empty pattern.
	 */
	private static void verifyNoMap(ConfigurationPropertyName name, int from) {
		if ("text.pattern".equals(find(name.getParent(), from, GENERATOR_PROPERTIES, false))) {
			throw new IdSetupException(
					name.getParent() + " is a map, not a string: YAML reads a value in braces as a map.",
					"In YAML, quote the value, as in pattern: \"{n:5}\".", List.of(name.getParent().toString()), null);
		}
	}

	/**
	 * Reject a property that is set for a generator, but allowed only directly below
	 * {@code ids}.
	 */
	private void rejectApplicationProperty(ConfigurationPropertyName name, int from, boolean variable) {
		String property = find(name, from, this.applicationProperties.keySet(), variable);
		Set<String> groups = this.applicationProperties.keySet()
			.stream()
			.map(ConfigurationCheck::group)
			.collect(Collectors.toSet());
		String group = find(name.chop(from + 1), from, groups, variable);
		if (group != null) {
			throw new IdSetupException(
					name + " is set, but " + groups.stream().sorted().collect(Collectors.joining(", "))
							+ " belong to the application, not to a generator.",
					"Set ids." + ((property != null) ? property : group)
							+ " instead, which applies to all generators, or remove it.",
					List.of(name.toString()), null);
		}
	}

	private boolean isOverridden(ConfigurationPropertySource given, String property) {
		ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			// each call wraps sources in new objects unless they are attached, so compare
			// the wrapped sources
			if (source.getUnderlyingSource() == given.getUnderlyingSource()) {
				return false;
			}
			if (source.getConfigurationProperty(name) != null) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return whether a name ends with the name of a generator's property. As in
	 * environment variables, underscores may replace dashes.
	 * @param from the index of the first element of the property
	 */
	static boolean isGeneratorProperty(ConfigurationPropertyName name, int from) {
		return find(name, from, GENERATOR_PROPERTIES, true) != null;
	}

	private static List<Strategy> users(String property) {
		return Arrays.stream(Strategy.values()).filter((strategy) -> strategy.uses(property)).toList();
	}

	private static String ids(List<Strategy> strategies) {
		return strategies.stream().map(Strategy::id).collect(Collectors.joining(", "));
	}

	private static String group(String property) {
		return property.split("\\.", 2)[0];
	}

	/**
	 * Find a known property by name. Dashes are ignored. In an environment variable,
	 * underscores may replace dashes as well as dots.
	 * @param from the index of the first element of the property
	 * @param variable whether the name is that of an environment variable
	 */
	private static @Nullable String find(ConfigurationPropertyName name, int from, Collection<String> known,
			boolean variable) {
		String given = INDEX.matcher(GeneratorNames.below(name, from)).replaceAll("");
		for (String candidate : known) {
			if (candidate.replace("-", "").equals(given) || variable && candidate.replace('-', '.').equals(given)) {
				return candidate;
			}
		}
		return null;
	}

	private void logUnknown(ConfigurationPropertySource source, ConfigurationPropertyName name, int from,
			List<String> known, Strategy strategy) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		// an entry of a YAML file that only groups other properties has an empty value
		boolean empty = property == null || String.valueOf(property.getValue()).isEmpty();
		Set<String> meant = meant(name, from, known, strategy, isVariables(source));
		// a variable such as IDS_FOO may belong to other software
		boolean foreign = from == 1 && isVariables(source) && meant.isEmpty();
		if (empty || foreign) {
			return;
		}
		if (meant.isEmpty()) {
			nearest(GeneratorNames.below(name, from), known)
				.ifPresent((nearest) -> meant.add(name.chop(from) + "." + nearest));
		}
		String hint = ": correct its name, or remove it";
		if (!meant.isEmpty()) {
			hint = "; did you mean " + String.join(" or ", meant) + "?";
		}
		else if (DATA_SOURCE_PROPERTIES.contains(name.getLastElement(Form.UNIFORM))) {
			hint = ": ids are stored in the database of spring.datasource, or in that of a DataSource bean that is marked"
					+ " with @IdsDataSource";
		}
		log(source, name, "is not known and has no effect" + hint);
	}

	/**
	 * Find the properties that an unknown name may refer to. The name may lack its group,
	 * or have a dash in place of a dot. It may also name a property of a generator
	 * without the prefix {@code ids.generators}.
	 */
	private static Set<String> meant(ConfigurationPropertyName name, int from, List<String> known, Strategy strategy,
			boolean variable) {
		Set<String> meant = new LinkedHashSet<>();
		String given = GeneratorNames.below(name, from);
		for (String candidate : known) {
			String written = variable ? candidate.replace('-', '.') : candidate.replace("-", "");
			boolean tail = written.endsWith("." + given) && (!variable || given.contains("."));
			if (tail || GeneratorNames.uniform(candidate).equals(GeneratorNames.uniform(given))) {
				meant.add(name.chop(from) + "." + candidate);
			}
		}
		Set<String> used = meant.stream()
			.filter((property) -> property.startsWith(name.chop(from) + "." + strategy.id() + "."))
			.collect(Collectors.toSet());
		boolean group = known.stream().anyMatch((property) -> group(property).equals(name.getElement(1, Form.DASHED)));
		int generator = name.getElement(1, Form.UNIFORM).equals("generator") ? 2 : 1;
		if (from == 1 && !group && !name.isNumericIndex(generator) && name.getNumberOfElements() > generator + 1
				&& find(name, generator + 1, GENERATOR_PROPERTIES, false) != null && (generator == 2 || !variable)) {
			return new LinkedHashSet<>(Set.of(GENERATORS + "." + name.subName(generator)));
		}
		return used.isEmpty() ? meant : used;
	}

	private void log(ConfigurationPropertySource source, ConfigurationPropertyName name, String problem) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		String origin = (property != null && property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "";
		logger.warn(name + origin + " " + problem);
	}

	/**
	 * Find the known name that is most similar to the given one. At most a third of the
	 * letters, or a single letter, may differ.
	 */
	static Optional<String> nearest(String name, List<String> known) {
		ToIntFunction<String> distance = (candidate) -> distance(name, candidate.replace("-", ""));
		return known.stream()
			.min(Comparator.comparingInt(distance))
			.filter((nearest) -> distance.applyAsInt(nearest) <= Math.max(1, name.length() / 3));
	}

	/**
	 * Return the Levenshtein distance of two words: how many letters have to be inserted,
	 * deleted or replaced to turn one word into the other.
	 */
	static int distance(String one, String other) {
		int[] distances = IntStream.rangeClosed(0, other.length()).toArray();
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = distances[0];
			distances[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = diagonal + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				diagonal = distances[j];
				distances[j] = Math.min(replaced, Math.min(distances[j], distances[j - 1]) + 1);
			}
		}
		return distances[other.length()];
	}

}
