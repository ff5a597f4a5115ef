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
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Looks for properties below {@code ids} that have no effect, or whose values are
 * probably not intended.
 * <ul>
 * <li>A property of a named generator is rejected if the strategy of the generator does
 * not use it, or if it is allowed only directly below {@code ids}. If a source of higher
 * precedence, such as a profile, has changed the strategy, a property that the strategy
 * does not use is only logged.</li>
 * <li>A property below {@code text.secret} or {@code text.secrets} that has no effect is
 * rejected, because ids would be guessable. A misnamed environment variable is not
 * rejected.</li>
 * <li>If a secret is set directly below {@code ids}, the named generators that do not
 * inherit it are logged: those with the strategy {@code coprime}, and scoped ones.</li>
 * <li>Settings directly below {@code ids} that no generator uses are only logged, because
 * several applications may share them. Unknown names are only logged, because they may
 * belong to other software. Properties below {@code spring.ids} or {@code id} are logged
 * if {@code ids} was probably meant.</li>
 * <li>Durations without a unit are logged. A value is rejected if it is a number in place
 * of an instant, a fraction in place of a whole number, or a number or boolean in place
 * of a string. In the last case, YAML may have converted a string: it reads 012 as
 * 10.</li>
 * </ul>
 */
final class ConfigurationCheck {

	private static final Log logger = LogFactory.getLog(ConfigurationCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	private static final ConfigurationPropertyName GENERATORS = PREFIX.append("generators");

	private static final ConfigurationPropertyName OUTPUT = PREFIX.append("output");

	private static final ConfigurationPropertyName COLUMNS_WATCH = PREFIX.append("columns.watch");

	/** If this class is absent, {@link IdsJdbcProperties} cannot be loaded. */
	private static final String SQL_INIT_CLASS = "org.springframework.boot.sql.init.DatabaseInitializationMode";

	/**
	 * Matches names below {@code text.secret} or {@code text.secrets} that are not names
	 * of properties.
	 */
	private static final Pattern MISNAMED_SECRET = Pattern
		.compile("\\.text\\.secret(s\\[(?!\\d+]\\.(key|from)$)|s\\.|\\[|\\.)");

	/** Matches the properties of the second and all later secrets of a list. */
	private static final Pattern LATER_SECRET = Pattern
		.compile("(.+\\.text\\.secrets)\\[([1-9]\\d{0,8})]\\.(key|from)");

	private static final Pattern INDEX = Pattern.compile("[.\\[]\\d+]?(?=\\.|$)");

	/** Prefixes that users are likely to confuse with {@code ids}. */
	private static final List<ConfigurationPropertyName> MISTAKEN_PREFIXES = List
		.of(ConfigurationPropertyName.of("spring.ids"), ConfigurationPropertyName.of("id"));

	private static final Set<String> DATA_SOURCE_PROPERTIES = Set.of("url", "jdbcurl", "username", "password");

	/**
	 * The properties that are allowed below {@code ids.generators.<name>}, and their
	 * types.
	 */
	private static final Map<String, Class<?>> GENERATOR_PROPERTY_TYPES = types(GeneratorProperties.class, "");

	private static final List<String> GENERATOR_PROPERTIES = List.copyOf(GENERATOR_PROPERTY_TYPES.keySet());

	/** String properties whose values may be written as numbers. */
	private static final Set<String> NUMERIC_STRINGS = Set.of("text.secrets.from", "health.low-remaining");

	private final GeneratorPropertiesBinder binder;

	/**
	 * The properties that are allowed only directly below {@code ids}, and their types.
	 * They are collected when they are first needed, because many applications set none.
	 */
	private final Supplier<Map<String, Class<?>>> topLevelProperties = SingletonSupplier
		.of(ConfigurationCheck::topLevelTypes);

	/** The strategies of the named generators, by generator name. */
	private final Map<String, Strategy> strategies = new HashMap<>();

	private final Strategy defaultStrategy;

	ConfigurationCheck(GeneratorPropertiesBinder binder) {
		this.binder = binder;
		for (String name : binder.names()) {
			this.strategies.put(name, binder.bind(name).strategy());
		}
		this.defaultStrategy = binder.bind(GeneratorPropertiesBinder.DEFAULT_NAME).strategy();
	}

	private static Map<String, Class<?>> topLevelTypes() {
		Map<String, Class<?>> types = types(IdsProperties.class, "");
		types.putAll(types(IdsRedisProperties.class, "redis."));
		if (ClassUtils.isPresent(SQL_INIT_CLASS, ConfigurationCheck.class.getClassLoader())) {
			types.putAll(types(IdsJdbcProperties.class, "jdbc."));
		}
		return types;
	}

	private Set<String> topLevelNames() {
		return this.topLevelProperties.get().keySet();
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
			Class<?> valueType = (component.getType() != List.class) ? component.getType()
					: ResolvableType.forType(component.getGenericType()).getGeneric().toClass();
			if (valueType.isRecord()) {
				types.putAll(types(valueType, name + "."));
			}
			else {
				types.put(name, valueType);
			}
		}
		return types;
	}

	/**
	 * Run the checks.
	 * @throws IdSetupException if a property is rejected
	 */
	void run() {
		Set<ConfigurationPropertyName> seen = new HashSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.binder.environment())) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				for (ConfigurationPropertyName name : iterable) {
					if (PREFIX.isAncestorOf(name) && seen.add(name)) {
						check(source, name);
					}
					else if (!isSystemEnvironment(source)) {
						checkPrefix(source, name);
					}
				}
			}
			else {
				// this source cannot list its properties; look up only these two, because
				// nothing else binds them at startup
				for (ConfigurationPropertyName name : List.of(OUTPUT, COLUMNS_WATCH)) {
					if (source.getConfigurationProperty(name) != null) {
						verifyUnbound(name);
					}
				}
			}
		}
	}

	/**
	 * Verify the value of a property by binding it, if nothing else binds the property at
	 * startup.
	 */
	private void verifyUnbound(ConfigurationPropertyName name) {
		if (name.equals(OUTPUT)) {
			Binder.get(this.binder.environment()).bind(name, Bindable.of(IdsProperties.Output.class));
		}
		else if (name.equals(COLUMNS_WATCH)) {
			Binder.get(this.binder.environment()).bind(name, Bindable.of(Boolean.class));
		}
	}

	/**
	 * Reject a value that is set for a group of properties, if the group has only one
	 * property. Spring would bind the group as if the value were set for that property.
	 */
	private void rejectValueOfGroup(ConfigurationPropertyName name, int from, Collection<String> known) {
		List<String> members = known.stream()
			.filter((property) -> !property.equals(group(property))
					&& find(name, from, List.of(group(property)), false) != null)
			.toList();
		if (members.size() == 1 && this.binder.value(name.toString()).filter((value) -> !value.isBlank()).isPresent()) {
			throw valueOfGroup(name.toString(), name.chop(from) + "." + members.get(0), null);
		}
	}

	/**
	 * Return the exception for a group of properties that was set to a single value.
	 * @param member the full name of a property of the group
	 */
	static IdSetupException valueOfGroup(String group, String member, @Nullable Throwable cause) {
		return new IdSetupException(group + " has a value, but is a group of properties.",
				"Set the properties of this group, such as " + member + ".", List.of(group), cause);
	}

	private static boolean isSystemEnvironment(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
	}

	private List<String> knownProperties() {
		return Stream.concat(GENERATOR_PROPERTIES.stream(), topLevelNames().stream()).toList();
	}

	/**
	 * Log a property of the starter that is written below the wrong prefix.
	 */
	private void checkPrefix(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		for (ConfigurationPropertyName prefix : MISTAKEN_PREFIXES) {
			if (prefix.isAncestorOf(name)) {
				ConfigurationPropertyName intended = PREFIX.append(name.subName(prefix.getNumberOfElements()));
				String property = find(intended, 1, knownProperties(), false);
				boolean knownProperty = GENERATORS.isAncestorOf(intended) ? isGeneratorProperty(intended, 3)
						: property != null && (prefix.getNumberOfElements() > 1 || property.contains("."));
				if (knownProperty) {
					log(source, name, "has no effect; did you mean " + intended + "?");
				}
			}
		}
	}

	private void check(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		verifySecret(source, name);
		if (!name.getElement(1, Form.UNIFORM).equals("generators")) {
			boolean fromEnvironment = isSystemEnvironment(source);
			String property = find(name, 1, GENERATOR_PROPERTIES, fromEnvironment);
			if (property == null) {
				verifyUnbound(name);
				property = find(name, 1, topLevelNames(), fromEnvironment);
			}
			if (property == null) {
				// for environment variables, check only groups of generator properties,
				// because a variable such as IDS_SCHEMA may belong to other software
				rejectValueOfGroup(name, 1, fromEnvironment ? GENERATOR_PROPERTIES : knownProperties());
				rejectPatternReadAsMap(name, 1);
				logUnknown(source, name, 1, knownProperties(), this.defaultStrategy);
				return;
			}
			checkValue(source, name, property);
			if (property.equals("text.secret") || name.toString().endsWith(".secrets[0].key")) {
				logGeneratorsWithoutSecret(source, name);
			}
			List<Strategy> usedBy = strategiesThatUse(property);
			if (!usedBy.contains(this.defaultStrategy) && usedBy.stream().noneMatch(this.strategies::containsValue)) {
				log(source, name,
						"has no effect: no id generator uses ids."
								+ (property.matches("(block|text)\\..*") ? property : group(property))
								+ ". Strategies that use it: " + strategyIds(usedBy));
			}
		}
		else if (name.getNumberOfElements() > 3) {
			GeneratorNames.owner(name, this.strategies.keySet())
				.ifPresentOrElse((generator) -> checkGeneratorProperty(source, name, generator),
						() -> log(source, name, "has no effect: it is not a property of any id generator. Environment"
								+ " variables cannot contain dashes. If the name of the generator has dashes, declare"
								+ " the generator in a configuration file"));
		}
	}

	/**
	 * Reject a secret that has no effect. Without a secret, the ids of a new generator
	 * would be guessable permanently. An existing generator would ignore an added secret
	 * and continue to use its previous one.
	 */
	private void verifySecret(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		if (MISNAMED_SECRET.matcher(name.toString()).find() && !isSystemEnvironment(source)) {
			throw new IdSetupException(name + " has no effect, so anyone could guess the text form of ids.",
					TextProperties.HOW_TO_WRITE_SECRETS, List.of(name.toString()), null);
		}
		if (name.toString().endsWith(".text.secrets")) {
			ConfigurationProperty list = source.getConfigurationProperty(name);
			if (list == null || GeneratorPropertiesBinder.isBlank(list, this.binder.environment())) {
				throw new IdSetupException(name + " is empty, so anyone could guess the text form of ids.",
						TextProperties.HOW_TO_WRITE_SECRETS, List.of(name.toString()), null);
			}
		}
		Matcher later = LATER_SECRET.matcher(name.toString());
		if (later.matches()) {
			ConfigurationPropertyName precedingKey = ConfigurationPropertyName
				.of(later.group(1) + "[" + (Integer.parseInt(later.group(2)) - 1) + "].key");
			if (source.getConfigurationProperty(precedingKey) == null) {
				throw new IdSetupException(
						name + " has no effect: there is no " + precedingKey + " in the same property source.",
						"Write the whole list in one file, or the whole list in environment variables. In a file, a"
								+ " value may be a placeholder for an environment variable.",
						List.of(name.toString()), null);
			}
		}
	}

	/**
	 * Log the generators that do not inherit a secret. If a secret is set for such a
	 * generator itself, creating the generator fails.
	 */
	private void logGeneratorsWithoutSecret(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		List<String> generators = this.strategies.entrySet()
			.stream()
			.filter((generator) -> generator.getValue() == Strategy.COPRIME || this.binder.isScoped(generator.getKey()))
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
		if (!generators.isEmpty()) {
			// not a warning, because the secret may be meant only for other generators
			logger.info(describe(source, name) + " has no effect on these id generators, whose ids anyone could guess,"
					+ " because coprime and scoped generators do not inherit secrets: "
					+ GeneratorNames.listed(generators));
		}
	}

	private void checkGeneratorProperty(ConfigurationPropertySource source, ConfigurationPropertyName name,
			String generator) {
		Strategy strategy = Objects.requireNonNull(this.strategies.get(generator));
		int from = GeneratorNames.endOfName(name, generator);
		String property = find(name, from, GENERATOR_PROPERTIES, isSystemEnvironment(source));
		String strategyProperty = GeneratorPropertiesBinder.ownProperty(generator, "strategy");
		if (property == null) {
			rejectTopLevelProperty(name, from, isSystemEnvironment(source));
			rejectValueOfGroup(name, from, GENERATOR_PROPERTIES);
			rejectPatternReadAsMap(name, from);
			logUnknown(source, name, from, GENERATOR_PROPERTIES, strategy);
		}
		else if (!strategy.uses(property) && isStrategyOverridden(source, generator)) {
			log(source, name, "has no effect: a source of higher precedence has set the strategy of id generator '"
					+ generator + "' to " + strategy.id());
		}
		else if (!strategy.uses(property)) {
			List<Strategy> usedBy = strategiesThatUse(property);
			throw new IdSetupException(
					name + " has no effect: the strategy of id generator '" + generator + "' is " + strategy.id() + ".",
					"Remove it, or set " + strategyProperty + " to " + ((usedBy.size() > 1) ? "one of " : "")
							+ strategyIds(usedBy) + "."
							+ (GeneratorPropertiesBinder.isInherited(property)
									? " To set the property for all generators that use it, set ids." + property + "."
									: ""),
					List.of(name.toString(), strategyProperty), null);
		}
		else {
			checkValue(source, name, property);
		}
	}

	private void checkValue(ConfigurationPropertySource source, ConfigurationPropertyName name, String property) {
		Class<?> type = GENERATOR_PROPERTY_TYPES.get(property);
		type = (type != null) ? type : this.topLevelProperties.get().get(property);
		ConfigurationProperty found = source.getConfigurationProperty(name);
		Object value = (found != null) ? found.getValue() : null;
		if (type == Duration.class && String.valueOf(value).strip().matches("0*[1-9]\\d*")) {
			log(source, name, "is " + value + " without a unit, which means " + value + "ms: write " + value
					+ "s if you mean seconds");
		}
		if (type == Instant.class && String.valueOf(value).strip().matches("-?\\d+")) {
			throw new IdSetupException(name + " is '" + value + "', which is not an instant.",
					IdSetupFailureAnalyzer.HOW_TO_WRITE_INSTANT, List.of(name.toString()), null);
		}
		if (type == String.class && (value instanceof Number || value instanceof Boolean)
				&& !NUMERIC_STRINGS.contains(property)) {
			throw new IdSetupException(
					name + " must be a string, but its value is a " + ((value instanceof Number) ? "number" : "boolean")
							+ ", which YAML may have converted from different text.",
					"Write the value as a string." + quotingHint(value), List.of(name.toString()), null);
		}
		if ((type == int.class || type == long.class || type == Integer.class || type == Long.class)
				&& value instanceof Double) {
			throw new IdSetupException(name + " is " + value + " but must be a whole number.", "Correct the value.",
					List.of(name.toString()), null);
		}
	}

	/**
	 * Return a hint to quote the value if YAML may have converted it, otherwise an empty
	 * string.
	 */
	static String quotingHint(@Nullable Object value) {
		String text = String.valueOf(value);
		if (text.matches("true|false")) {
			return " In YAML, quote the value: without quotes, yes, no, on and off are true or false.";
		}
		return text.matches("[-+]?\\d+(\\.\\d+)?(E\\d+)?")
				? " In YAML, quote the value: without quotes, 012 is 10, 0x1F is 31 and +10:00 is 600." : "";
	}

	/**
	 * Reject a pattern that YAML has read as a map, because Spring Boot would bind an
	 * empty pattern.
	 */
	private static void rejectPatternReadAsMap(ConfigurationPropertyName name, int from) {
		if ("text.pattern".equals(find(name.getParent(), from, GENERATOR_PROPERTIES, false))) {
			throw new IdSetupException(
					name.getParent() + " is a map, not a string: YAML reads a value in braces as a map.",
					"In YAML, quote the value, as in pattern: \"{n:5}\".", List.of(name.getParent().toString()), null);
		}
	}

	/**
	 * Reject a property of a generator that is allowed only directly below {@code ids}.
	 */
	private void rejectTopLevelProperty(ConfigurationPropertyName name, int from, boolean fromEnvironment) {
		String property = find(name, from, topLevelNames(), fromEnvironment);
		Set<String> groups = topLevelNames().stream().map(ConfigurationCheck::group).collect(Collectors.toSet());
		String group = find(name.chop(from + 1), from, groups, fromEnvironment);
		if (group != null) {
			throw new IdSetupException(
					name + " is set for a generator, but ids." + ((property != null) ? property : group)
							+ " applies to the whole application.",
					"Set ids." + ((property != null) ? property : group) + " instead, or remove " + name + ".",
					List.of(name.toString()), null);
		}
	}

	/**
	 * Return whether the strategy of a generator is set by a source of higher precedence
	 * than the given one. A generator without a strategy of its own inherits that of the
	 * default generator.
	 */
	private boolean isStrategyOverridden(ConfigurationPropertySource given, String generator) {
		boolean isOwn = this.binder.isOwn(generator, "strategy");
		ConfigurationPropertyName name = (isOwn ? GeneratorPropertiesBinder.prefix(generator) : PREFIX)
			.append("strategy");
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.binder.environment())) {
			// compare the wrapped sources, because each call of get may wrap them in new
			// objects
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
	 * Return whether a name ends with a property of a generator. Dots may replace the
	 * dashes of the property, as in the name of an environment variable.
	 * @param from the index of the first element of the property
	 */
	static boolean isGeneratorProperty(ConfigurationPropertyName name, int from) {
		return find(name, from, GENERATOR_PROPERTIES, true) != null;
	}

	private static List<Strategy> strategiesThatUse(String property) {
		return Arrays.stream(Strategy.values()).filter((strategy) -> strategy.uses(property)).toList();
	}

	private static String strategyIds(List<Strategy> strategies) {
		return strategies.stream().map(Strategy::id).collect(Collectors.joining(", "));
	}

	private static String group(String property) {
		return property.split("\\.", 2)[0];
	}

	/**
	 * Find a known property by name. Dashes are ignored. In an environment variable, an
	 * underscore may stand for a dash or a dot.
	 * @param from the index of the first element of the property
	 * @param fromEnvironment whether the name is that of an environment variable
	 */
	private static @Nullable String find(ConfigurationPropertyName name, int from, Collection<String> known,
			boolean fromEnvironment) {
		String given = INDEX.matcher(GeneratorNames.elementsFrom(name, from)).replaceAll("");
		for (String candidate : known) {
			if (candidate.replace("-", "").equals(given)
					|| fromEnvironment && candidate.replace('-', '.').equals(given)) {
				return candidate;
			}
		}
		return null;
	}

	private void logUnknown(ConfigurationPropertySource source, ConfigurationPropertyName name, int from,
			List<String> known, Strategy strategy) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		// a YAML entry that only groups other properties has an empty value
		boolean hasNoValue = property == null || String.valueOf(property.getValue()).isEmpty();
		Set<String> suggestions = suggest(name, from, known, strategy, isSystemEnvironment(source));
		// a variable such as IDS_FOO may belong to other software
		boolean mayBeForeign = from == 1 && isSystemEnvironment(source) && suggestions.isEmpty();
		if (hasNoValue || mayBeForeign) {
			return;
		}
		if (suggestions.isEmpty()) {
			nearest(GeneratorNames.elementsFrom(name, from), known)
				.ifPresent((nearest) -> suggestions.add(name.chop(from) + "." + nearest));
		}
		String hint = ": correct its name, or remove it";
		if (!suggestions.isEmpty()) {
			hint = "; did you mean " + String.join(" or ", suggestions) + "?";
		}
		else if (DATA_SOURCE_PROPERTIES.contains(name.getLastElement(Form.UNIFORM))) {
			hint = ": the id store uses the database of spring.datasource or of a DataSource bean with @IdsDataSource";
		}
		log(source, name, "is not known and has no effect" + hint);
	}

	/**
	 * Find the properties that a user may have meant by an unknown name. The name may
	 * lack its group, or have a dash in place of a dot. Before the name of a generator,
	 * {@code generators} may be missing or written as {@code generator}.
	 */
	private static Set<String> suggest(ConfigurationPropertyName name, int from, List<String> known, Strategy strategy,
			boolean fromEnvironment) {
		Set<String> suggestions = new LinkedHashSet<>();
		String given = GeneratorNames.elementsFrom(name, from);
		for (String candidate : known) {
			String written = fromEnvironment ? candidate.replace('-', '.') : candidate.replace("-", "");
			boolean endsWithGiven = written.endsWith("." + given) && (!fromEnvironment || given.contains("."));
			if (endsWithGiven || GeneratorNames.uniform(candidate).equals(GeneratorNames.uniform(given))) {
				suggestions.add(name.chop(from) + "." + candidate);
			}
		}
		Set<String> ofStrategy = suggestions.stream()
			.filter((property) -> property.startsWith(name.chop(from) + "." + strategy.id() + "."))
			.collect(Collectors.toSet());
		boolean startsWithGroup = known.stream()
			.anyMatch((property) -> group(property).equals(name.getElement(1, Form.DASHED)));
		int generatorIndex = name.getElement(1, Form.UNIFORM).equals("generator") ? 2 : 1;
		if (from == 1 && !startsWithGroup && !name.isNumericIndex(generatorIndex)
				&& name.getNumberOfElements() > generatorIndex + 1
				&& find(name, generatorIndex + 1, GENERATOR_PROPERTIES, false) != null
				&& (generatorIndex == 2 || !fromEnvironment)) {
			return new LinkedHashSet<>(Set.of(GENERATORS + "." + name.subName(generatorIndex)));
		}
		return ofStrategy.isEmpty() ? suggestions : ofStrategy;
	}

	private void log(ConfigurationPropertySource source, ConfigurationPropertyName name, String problem) {
		logger.warn(describe(source, name) + " " + problem);
	}

	private static String describe(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		return name + ((property != null && property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "");
	}

	/**
	 * Find the known name that is most similar to the given one. At most a third of the
	 * letters of the given name may differ. In a name of one or two letters, one letter
	 * may differ.
	 */
	static Optional<String> nearest(String name, List<String> known) {
		ToIntFunction<String> distance = (candidate) -> distance(name, candidate.replace("-", ""));
		return known.stream()
			.min(Comparator.comparingInt(distance))
			.filter((nearest) -> distance.applyAsInt(nearest) <= Math.max(1, name.length() / 3));
	}

	/**
	 * Return the Levenshtein distance of two words.
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
