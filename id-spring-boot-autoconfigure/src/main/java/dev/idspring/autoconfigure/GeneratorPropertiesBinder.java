package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.autoconfigure.GeneratorProperties.Block;
import dev.idspring.block.BlockSettings;
import dev.idspring.monitor.LowThreshold;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;

/**
 * Binds the properties of a generator. A named generator reads a property {@code x} from
 * {@code ids.generators.<name>.x}. If that property is not set, the generator inherits
 * the value of {@code ids.x}. Properties that describe a single generator are not
 * inherited. An error names the property that the user has set, and where it is set.
 */
final class GeneratorPropertiesBinder {

	static final String DEFAULT_NAME = "default";

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	private static final ConfigurationPropertyName GENERATORS = PREFIX.append("generators");

	/**
	 * Properties that named generators do not inherit, because they describe the key
	 * space or the ids of a single generator.
	 */
	private static final Set<ConfigurationPropertyName> NOT_INHERITED = Set.of(PREFIX.append("key-space"),
			PREFIX.append("verify-column"), PREFIX.append("uuid.identity"), PREFIX.append("scoped"));

	/**
	 * The groups of properties of settings classes, if not named after the strategy. The
	 * keys are simple names, because class literals would load classes that are not used.
	 */
	private static final Map<String, String> GROUPS = Map.of("BlockSettings", "block", "ClockSettings", "clock",
			"NodeSettings", "node", "TextSettings", "text", "Secret", "text.secrets", "ScopePattern", "text");

	/**
	 * The exceptions to the rule of {@link #propertyOf}, by parameter. By that rule, a
	 * property is the group or the strategy, followed by the name of the parameter.
	 */
	private static final Map<String, String> PARAMETERS = Map.of("lease", "lease", "number", "node.id", "keySpaceName",
			"key-space", "uuidIdentity", "uuid.identity", "horizon", "health.low-horizon", "perInstance",
			"recycled.series-per-instance", "period", "period", "maxScopes", "max-scopes");

	private static final String FIRST_SECRET = "text.secrets[0].key";

	/**
	 * Matches the properties of a generator that override the inherited value even if
	 * they are empty. An empty secret is rejected, and an empty preset means no preset.
	 */
	private static final Pattern SET_IF_EMPTY = Pattern
		.compile("text\\.secret|text\\.secrets\\[\\d+]\\.key|coprime\\.preset");

	private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[\\w.\\-]+}");

	private static final Pattern PERCENTAGE = Pattern.compile("(\\d+(?:\\.\\d+)?) *%");

	private final Environment environment;

	private final Map<String, GeneratorProperties> boundProperties = new ConcurrentHashMap<>();

	GeneratorPropertiesBinder(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Return the environment with the properties.
	 */
	Environment environment() {
		return this.environment;
	}

	/**
	 * Return the names of the generators below {@code ids.generators}.
	 */
	Set<String> names() {
		return GeneratorNames.of(this.environment);
	}

	/**
	 * Return the name of the generator to which an option of a command refers.
	 * @param wanted the value of the option, or {@code null} if it is not set
	 * @param option the full name of the option
	 * @throws IdSetupException if the option is not set, or if there is no such generator
	 */
	String requireName(@Nullable String wanted, String option) {
		Set<String> names = new TreeSet<>(names());
		names.add(DEFAULT_NAME);
		String problem = (wanted == null) ? option + " is not set."
				: option + " is '" + wanted + "', but there is no id generator with that name.";
		return names.stream()
			.filter((name) -> wanted != null && GeneratorNames.uniform(name).equals(GeneratorNames.uniform(wanted)))
			.findFirst()
			.orElseThrow(() -> new IdSetupException(problem,
					"Set " + option + " to one of " + GeneratorNames.listed(names) + ".",
					List.of(option.substring(0, option.lastIndexOf('.'))), null));
	}

	/**
	 * Return the properties of a generator. The first call binds them.
	 * @param name the name of the generator
	 */
	GeneratorProperties bind(String name) {
		return this.boundProperties.computeIfAbsent(name, this::bindNow);
	}

	private GeneratorProperties bindNow(String name) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		ConfigurationPropertySources.get(this.environment).forEach(sources::add);
		if (!name.equals(DEFAULT_NAME)) {
			List<ConfigurationPropertySource> shared = List.copyOf(sources);
			sources.replaceAll((source) -> new RelocatedSource(source, prefix(name), this.environment));
			shared.forEach((source) -> sources.add(new RelocatedSource(source, PREFIX, this.environment)));
		}
		// as in Spring Boot, a value of the property "ids" itself is ignored
		BindResult<GeneratorProperties> bound = new Binder(sources,
				new PropertySourcesPlaceholdersResolver(this.environment))
			.bind("ids", Bindable.of(GeneratorProperties.class), new EmptyValuesHandler());
		return GeneratorProperties.orDefaults(bound.orElse(null), GeneratorProperties.class);
	}

	/**
	 * Return whether a property is set for the generator itself rather than inherited.
	 * @param name the name of the generator
	 * @param property the name of the property, relative to the prefix of the generator
	 */
	boolean isOwn(String name, String property) {
		return value(ownProperty(name, property))
			.filter((value) -> !value.isBlank() || SET_IF_EMPTY.matcher(property).matches())
			.isPresent();
	}

	/**
	 * Return whether the numbers of a generator have scopes.
	 * @param name the name of the generator
	 */
	boolean isScoped(String name) {
		return Binder.get(this.environment)
			.bind(prefix(name).append("scoped").toString(), Boolean.class)
			.orElse(Boolean.FALSE);
	}

	/**
	 * Return the value of a property as text.
	 * @param property the full name of the property
	 */
	Optional<String> value(String property) {
		return Optional.ofNullable(Binder.get(this.environment).bind(property, String.class).orElse(null));
	}

	/**
	 * Return whether named generators inherit a property.
	 * @param property the name of the property, relative to the prefix of the generator
	 */
	static boolean isInherited(String property) {
		return !NOT_INHERITED.contains(PREFIX.append(property));
	}

	/**
	 * Return the prefix of the properties of a generator. Dashes replace the underscores
	 * of the name. Otherwise, Spring Boot would not find the group {@code block} in a
	 * variable such as {@code IDS_GENERATORS_ORDER_ITEMS_BLOCK_SIZE}.
	 * @param name the name of the generator
	 */
	static ConfigurationPropertyName prefix(String name) {
		return name.equals(DEFAULT_NAME) ? PREFIX
				: GENERATORS.append(ConfigurationPropertyName.adapt(name.replace('_', '-'), '.'));
	}

	/**
	 * Return the name of the property that sets a parameter, relative to the prefix of
	 * the generator.
	 */
	static String propertyOf(Class<?> settings, String parameter, Strategy strategy) {
		return PARAMETERS.getOrDefault(parameter, GROUPS.getOrDefault(settings.getSimpleName(), strategy.id()) + "."
				+ DataObjectPropertyName.toDashedForm(parameter));
	}

	/**
	 * Return the full name of the property that sets a value for a generator. It is the
	 * given property or its alias, either of the generator or inherited. If none of these
	 * is set, return the full name of the given property of the generator.
	 */
	String property(String name, String property) {
		String alias = alias(name, property);
		String used = (isSet(name, property) || !isSet(name, alias)) ? property : alias;
		boolean inherited = !isOwn(name, used) && isOwn(DEFAULT_NAME, used);
		return ownProperty(inherited ? DEFAULT_NAME : name, used);
	}

	/**
	 * Return the other property that a user may set instead of the given one. If the
	 * strategy of the generator has no other, return the given one.
	 */
	private String alias(String name, String property) {
		return switch (property) {
			case "text.secrets", "text.secrets.key" -> "text.secret";
			case "coprime.alphabet", "coprime.length", "coprime.max-length" -> property.replace("coprime.", "text.");
			case "text.alphabet", "text.length", "text.max-length" -> switch (bind(name).strategy()) {
				case COPRIME -> property.replace("text.", "coprime.");
				case SNOWFLAKE -> property.equals("text.alphabet") ? "snowflake.format" : property;
				default -> property;
			};
			default -> property;
		};
	}

	private boolean isSet(String name, String property) {
		return isOwn(name, property) || isOwn(DEFAULT_NAME, property);
	}

	/**
	 * Return the full name that sets a property for the generator itself.
	 */
	static String ownProperty(String name, String property) {
		return prefix(name) + "." + property;
	}

	/**
	 * Return the threshold below which a key space counts as low.
	 */
	LowThreshold lowThreshold(String name, GeneratorProperties.Health health) {
		Matcher percentage = PERCENTAGE.matcher(health.lowRemaining().strip());
		// a number without a percent sign is rejected, because 0.1 may be meant as 10%
		double share = percentage.matches() ? Double.parseDouble(percentage.group(1)) / 100 : Double.NaN;
		if (!(share <= 1)) {
			String property = property(name, "health.low-remaining");
			throw new IdSetupException(
					property + " is '" + health.lowRemaining()
							+ "' but must be a percentage from 0% to 100%, such as 10%, with the percent sign.",
					"Correct the value." + missingSignHint(health.lowRemaining().strip()), List.of(property), null);
		}
		return new LowThreshold(share, health.lowHorizon());
	}

	private static String missingSignHint(String percentage) {
		return PERCENTAGE.matcher(percentage + "%").matches() ? " Write " + percentage + "% if you mean a percentage."
				: "";
	}

	/**
	 * Return {@code ids.block.wait-timeout}. At startup, it limits how long the store may
	 * take to answer. This method binds only the group {@code ids.block}, so that the
	 * store can be opened before the other groups are bound.
	 */
	Duration storeTimeout() {
		try {
			return BlockSettings
				.verifyWaitTimeout(Binder.get(this.environment).bindOrCreate("ids.block", Block.class).waitTimeout());
		}
		catch (InvalidSettingException ex) {
			throw explain(DEFAULT_NAME, Strategy.COPRIME, ex);
		}
	}

	/**
	 * Translate the exception for an invalid setting into one that names the property of
	 * that setting.
	 */
	IdSetupException explain(String name, Strategy strategy, InvalidSettingException ex) {
		return explain(name, ex, (parameter) -> propertyOf(ex.getSettings(), parameter, strategy));
	}

	/**
	 * Translate the exception for an invalid setting into one that names the property of
	 * that setting. If the property contains an unresolved placeholder, the exception
	 * says so instead.
	 * @param properties returns the name of the property that sets a parameter, relative
	 * to the prefix of the generator
	 */
	IdSetupException explain(String name, InvalidSettingException ex, UnaryOperator<String> properties) {
		UnaryOperator<String> names = (parameter) -> property(name, properties.apply(parameter));
		String property = names.apply(ex.getParameter());
		Optional<String> placeholder = value(property)
			.flatMap((value) -> PLACEHOLDER.matcher(value).results().map(MatchResult::group).findFirst());
		if (placeholder.isPresent()) {
			return new IdSetupException(
					"The placeholder " + placeholder.get() + " in " + property + " was not resolved.",
					"Set the property or environment variable that the placeholder names, or replace the placeholder"
							+ " with a literal value.",
					List.of(property), ex);
		}
		return explain(ex, names, "The settings of id generator '" + name + "' are invalid: ",
				missingUnitHint(property, ex.getValue())
						+ ((ex.getValue() instanceof String text) ? ConfigurationCheck.quotingHint(text) : ""));
	}

	/**
	 * Translate the exception for an invalid setting that does not belong to a generator.
	 */
	static IdSetupException explain(InvalidSettingException ex, String prefix) {
		return explain(ex, (parameter) -> prefix + DataObjectPropertyName.toDashedForm(parameter), "", "");
	}

	private static IdSetupException explain(InvalidSettingException ex, UnaryOperator<String> names, String subject,
			String hint) {
		List<String> properties = Stream.concat(Stream.of(ex.getParameter()), ex.getRelated().stream())
			.map(names)
			.toList();
		return new IdSetupException(subject + ex.describe(names) + ".", "Correct the value." + hint, properties, ex);
	}

	/**
	 * Return a hint if the invalid value is a duration that was written without a unit.
	 * Otherwise, return an empty string.
	 */
	private String missingUnitHint(String property, @Nullable Object value) {
		String written = (value instanceof Duration) ? value(property).orElse("").strip() : "";
		return written.matches("\\d+")
				? " " + written + " without a unit means " + written + "ms: write " + written + "s if you mean seconds."
				: "";
	}

	/**
	 * Translate the exception for a key space that cannot be used. If settings differ
	 * from the stored ones, the new exception names the properties of those settings.
	 */
	IdSetupException explain(String name, Strategy strategy, KeySpaceMismatchException ex) {
		String problem = "Id generator '" + name + "' cannot use its key space. " + ex.getMessage();
		String secrets = secretsProperty(name);
		return switch (ex.getReason()) {
			case DEFINITION -> explainDefinition(name, strategy, ex, problem);
			case FEWER_SECRETS -> new IdSetupException(problem, "Configure all secrets of the key space in " + secrets
					+ ", in the same order and with the same values of 'from'.", List.of(secrets), ex);
			case SECRET_FROM -> new IdSetupException(problem,
					"Correct the 'from' of the added secret in " + secrets + ".", List.of(secrets), ex);
			// do not suggest a new key space: its keys would repeat those of existing
			// rows
			case CLOSED -> new IdSetupException(problem,
					"Remove the configuration and every use of id generator '" + name + "'.", List.of(), ex);
		};
	}

	private String secretsProperty(String name) {
		return property(name, FIRST_SECRET).replace("[0].key", "");
	}

	private IdSetupException explainDefinition(String name, Strategy strategy, KeySpaceMismatchException ex,
			String problem) {
		Set<String> settings = new LinkedHashSet<>(ex.getDifferentSettings());
		if (settings.contains("text.alphabet") && !isSet(name, "text.length")) {
			// without the property, the length depends on the alphabet
			settings.remove("text.length");
		}
		if (settings.contains("prefix-digits") && settings.contains("node-digits")) {
			// exactly one definition has a prefix: its ids do not begin with the node,
			// and the node takes two of the sequence digits
			settings.removeAll(List.of("prefix-digits", "node-digits", "sequence-digits"));
			settings.add("prefix");
		}
		List<String> properties = settings.stream()
			.map((setting) -> property(name, strategy, setting, ex.getStored()))
			.toList();
		boolean secretDiffers = ex.getDifferentSettings().equals(Set.of("text.secrets"));
		return new IdSetupException(problem + " Check " + String.join(", ", properties) + ".",
				(secretDiffers ? "Configure the secret that the key space was created with, because its ids could not"
						+ " be parsed with any other. Alternatively," : "Restore the previous settings, or")
						+ " give the generator a new key space with " + ownProperty(name, "key-space")
						+ ". If the key space belongs to another application, set " + ownProperty(name, "key-space")
						+ " to a name that only this application uses.",
				properties, ex);
	}

	/**
	 * Return the full name of the property for a setting in the definition of a key
	 * space.
	 */
	private String property(String name, Strategy strategy, String setting, String stored) {
		if (setting.equals("text.secrets") && isSet(name, FIRST_SECRET)) {
			return secretsProperty(name);
		}
		return property(name, switch (setting) {
			case "strategy" ->
				Strategy.ofDefinition(stored).filter(strategy::equals).isPresent() ? "coprime.preset" : setting;
			case "scoped", "period" -> setting;
			case "text.secrets" -> "text.secret";
			// without a prefix, composite.prefix-digits sets the number of node digits
			case "node-digits" ->
				(strategy == Strategy.COMPOSITE) ? "composite.prefix-digits" : strategy.id() + "." + setting;
			default -> setting.startsWith("text.") ? setting : strategy.id() + "." + setting;
		});
	}

	/**
	 * Return whether the value of a property is blank after its placeholders are
	 * resolved.
	 */
	static boolean isBlank(ConfigurationProperty property, Environment environment) {
		return environment.resolvePlaceholders(String.valueOf(property.getValue())).isBlank();
	}

	private static boolean isSetIfEmpty(ConfigurationPropertyName name) {
		return SET_IF_EMPTY.matcher(name.subName(PREFIX.getNumberOfElements()).toString()).matches();
	}

	/**
	 * Treats an empty value of any type as not set, because a placeholder such as
	 * {@code ${SIZE:}} may be empty. {@link #SET_IF_EMPTY} lists the exceptions.
	 */
	private final class EmptyValuesHandler extends IgnoreTopLevelConverterNotFoundBindHandler {

		@Override
		public @Nullable Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Object result) {
			return (result instanceof String text && text.isBlank() && !isSetIfEmpty(name)) ? null : result;
		}

		@Override
		public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Exception error) throws Exception {
			ConfigurationProperty property = context.getConfigurationProperty();
			boolean empty = property != null && isBlank(property, GeneratorPropertiesBinder.this.environment);
			return (empty && error instanceof ConversionException) ? null
					: super.onFailure(name, target, context, error);
		}

	}

	/**
	 * Maps the properties below a prefix to properties directly below {@code ids}. If the
	 * prefix is {@code ids} itself, properties that named generators do not inherit are
	 * omitted. For other prefixes, empty values that count as not set are omitted.
	 */
	private record RelocatedSource(ConfigurationPropertySource source, ConfigurationPropertyName prefix,
			Environment environment) implements ConfigurationPropertySource {

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
			boolean inherited = this.prefix.equals(PREFIX);
			ConfigurationProperty property = (inherited && NOT_INHERITED.contains(name)) ? null
					: this.source.getConfigurationProperty(below(name));
			boolean isUnset = property != null && !inherited && isBlank(property, this.environment)
					&& !isSetIfEmpty(name);
			return isUnset ? null : property;
		}

		@Override
		public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
			return this.source.containsDescendantOf(below(name));
		}

		private ConfigurationPropertyName below(ConfigurationPropertyName name) {
			return this.prefix.append(name.subName(PREFIX.getNumberOfElements()));
		}

	}

}
