package dev.idspring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.ClockException;
import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceMismatchException.Reason;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.autoconfigure.ColumnVerification.ColumnRegressionException;
import dev.idspring.autoconfigure.DefaultIdGenerators.UnknownGeneratorException;
import dev.idspring.jdbc.DatabaseAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Explains why the id generators prevent the application from starting, which properties
 * are involved, and what to do. This analyzer runs before Spring Boot's own analyzers.
 * They know neither the formats of {@code ids} properties nor that ids may not need a
 * {@code DataSource}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class IdSetupFailureAnalyzer implements FailureAnalyzer {

	/**
	 * Matches the names of properties whose values are never shown. Misnamed properties
	 * are included, because their values may also be secrets.
	 */
	private static final Pattern SECRET = Pattern.compile("\\.text(\\.secrets?([.\\[](?!\\d+]\\.from$).*)?)?$");

	/** Properties with addresses, which may contain passwords. */
	private static final Set<String> ADDRESS_PROPERTIES = Set.of("spring.datasource.url", "spring.data.redis.url");

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	/** The suffix of the class name of a Spring Boot exception that is not public. */
	private static final String NO_DATA_SOURCE = ".DataSourceProperties$DataSourceBeanCreationException";

	private static final Map<Class<?>, String> TYPE_DESCRIPTIONS = Map.of(Instant.class, "an instant", Duration.class,
			"a duration", Boolean.class, "true or false", Integer.class, "a whole number in the valid range",
			Long.class, "a whole number in the valid range", ZoneId.class, "a time zone");

	static final String HOW_TO_WRITE_INSTANT = "Write date, time and offset, as in 2024-01-01T00:00:00Z or"
			+ " 2024-01-01T01:00:00+01:00. Without an offset, the instant would depend on the time zone.";

	private static final Map<Class<?>, String> HOW_TO_WRITE = Map.of(Instant.class, HOW_TO_WRITE_INSTANT,
			Duration.class, "Write a number and its unit without a space: 500ms, 5s, 10m, 2h or 1d.", Boolean.class,
			"Write true or false.", Integer.class, "Write a whole number in digits, without a unit.", Long.class,
			"Write a whole number in digits, without a unit.", ZoneId.class,
			"Write a name such as Europe/Berlin or UTC, or an offset such as \"+05:30\".");

	private static final Map<Class<?>, String> REMEDIES = Map.of(KeySpaceMismatchException.class,
			"Restore the settings with which the key space was created, or give the generator a new key space with"
					+ " ids.key-space (ids.generators.<name>.key-space). An application that shares its tables with"
					+ " another one needs its own key space names.",
			NodeUnavailableException.class,
			"Stop an instance, or start this one again when a lease has expired. The lease of a killed instance"
					+ " expires automatically (ids.lease).",
			ClockException.class,
			"Synchronize the clocks of this machine and of the store with NTP. ids.clock.max-skew is the maximum"
					+ " tolerated difference.",
			KeySpaceRegressionException.class,
			"Follow the steps in the description before drawing ids from this key space again.",
			KeySpaceExhaustedException.class,
			"Name a new key space in ids.key-space (ids.generators.<name>.key-space), and give it other settings.");

	/**
	 * The number of lines that an analysis should not exceed, including the problem, the
	 * properties and the remedy.
	 */
	private static final int MAX_LINES = 12;

	/** The assumed number of characters per line. */
	private static final int LINE_LENGTH = 110;

	/** The number of lines per property: its name, value and origin. */
	private static final int LINES_PER_PROPERTY = 3;

	/** The number of lines for the names of all properties that are not described. */
	private static final int LINES_OF_OTHERS = 2;

	private static final int MAX_OTHER_NAMES = 5;

	private final Environment environment;

	IdSetupFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof IdSetupException ex) {
				return analysis(ex.getProblem(), ex.getProperties(), ex.getRemedy(), ex);
			}
			if (cause instanceof IdGenerationException ex) {
				return analyzeGenerationFailure(ex);
			}
			if (cause instanceof InvalidSettingException ex) {
				Optional<StoreType> store = StoreType.ofSettings(ex.getSettings());
				if (store.isPresent()) {
					return analyze(GeneratorPropertiesBinder.explain(ex, store.get().group() + "."));
				}
			}
			if (cause instanceof UnknownGeneratorException ex) {
				return new FailureAnalysis(ex.getMessage() + " The generator is requested by " + ex.caller() + ".",
						"Correct the name, or configure the generator under ids.generators.", ex);
			}
			if (cause instanceof BindException ex && PREFIX.isAncestorOf(ex.getName())
					&& ex.getName().toString().contains(".text.secret")) {
				return analyzeSecrets(ex);
			}
			if (cause instanceof BindException ex) {
				return (ex.getProperty() != null) ? analyze(ex, ex.getProperty()) : analyzeGroup(ex);
			}
			if (cause.getClass().getName().endsWith(NO_DATA_SOURCE)) {
				return analyzeNoDataSource(cause);
			}
		}
		return null;
	}

	private FailureAnalysis analyzeGenerationFailure(IdGenerationException ex) {
		if (ex instanceof StoreConnector.UnreachableException unreachable) {
			return analysis(String.valueOf(ex.getMessage()), unreachable.getProperties(), unreachable.getRemedy(), ex);
		}
		List<String> properties = (ex instanceof ColumnRegressionException regression)
				? List.of(regression.getProperty()) : List.of();
		if (ex instanceof IdStoreUnavailableException) {
			return analysis(String.valueOf(ex.getMessage()), properties, store().advice(), ex);
		}
		if (ex instanceof KeySpaceMismatchException mismatch && mismatch.getReason() != Reason.DEFINITION) {
			return analysis(String.valueOf(ex.getMessage()), properties, "Follow the steps in the description.", ex);
		}
		String remedy = REMEDIES.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().isInstance(ex))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse("Draw the number in a transaction that is not read-only, for example in a @Transactional method.");
		return analysis(String.valueOf(ex.getMessage()), properties, remedy, ex);
	}

	/**
	 * Explain malformed secrets without showing their values. Spring Boot's own analysis
	 * would show them.
	 */
	private FailureAnalysis analyzeSecrets(BindException ex) {
		SortedSet<String> properties = new TreeSet<>();
		if (ex.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
			unbound.getUnboundProperties().forEach((property) -> properties.add(property.getName().toString()));
		}
		if (properties.isEmpty()) {
			properties.add(((ex.getProperty() != null) ? ex.getProperty().getName() : ex.getName()).toString());
		}
		return analysis(String.join(", ", properties) + " cannot be read.", List.copyOf(properties),
				TextProperties.HOW_TO_WRITE_SECRETS, new IdSetupException(
						String.join(", ", properties) + " cannot be read.", TextProperties.HOW_TO_WRITE_SECRETS));
	}

	/**
	 * Explain that a group of properties was set to a single value.
	 */
	private @Nullable FailureAnalysis analyzeGroup(BindException ex) {
		Class<?> type = ex.getTarget().getType().resolve(Object.class);
		String group = ex.getName().toString();
		return (!type.isRecord() || !ex.getName().getElement(0, Form.UNIFORM).equals("ids")) ? null : analyze(
				ConfigurationCheck.valueOfGroup(group, group + "." + ConfigurationCheck.names(type, "").get(0), ex));
	}

	private static @Nullable FailureAnalysis analyze(BindException ex, ConfigurationProperty property) {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(ex.getTarget().getType().resolve(Object.class));
		if (!PREFIX.isAncestorOf(property.getName())) {
			return null;
		}
		String problem = property.getName() + " is '" + property.getValue() + "', which is not ";
		if (type.isEnum()) {
			String known = Arrays.stream(type.getEnumConstants())
				.map((constant) -> Strategy.nameOf((Enum<?>) constant))
				.collect(Collectors.joining(", "));
			return new FailureAnalysis(problem + "a known value." + describe(property),
					"Use one of " + known + "." + ConfigurationCheck.quotingHint(property.getValue()), ex);
		}
		String remedy = HOW_TO_WRITE.get(type);
		if (remedy == null) {
			return null;
		}
		if (type == ZoneId.class) {
			remedy += ConfigurationCheck.quotingHint(property.getValue());
		}
		if (String.valueOf(property.getValue()).contains("${")) {
			remedy = "Give the placeholder a value, or set the property to a literal value. " + remedy;
		}
		return new FailureAnalysis(problem + TYPE_DESCRIPTIONS.get(type) + "." + describe(property), remedy, ex);
	}

	/**
	 * Explain why Spring Boot tries to create a {@code DataSource} in an application
	 * without a database: the starter depends on {@code spring-boot-starter-jdbc}.
	 */
	private @Nullable FailureAnalysis analyzeNoDataSource(Throwable cause) {
		StoreType store = store();
		if (store == StoreType.JDBC) {
			return null;
		}
		return new FailureAnalysis("Spring Boot cannot create a DataSource: " + cause.getMessage()
				+ ". Ids do not need a DataSource, because ids.store is " + store.id()
				+ ". Spring Boot tries to create one because the starter for ids depends on spring-boot-starter-jdbc.",
				"If the application has no database, exclude org.springframework.boot:spring-boot-starter-jdbc from the"
						+ " dependency on the starter of dev.idspring in pom.xml or build.gradle, or set"
						+ " spring.autoconfigure.exclude to " + cause.getClass().getPackageName()
						+ ".DataSourceAutoConfiguration. If it has a database, set spring.datasource.url, or put an"
						+ " embedded database on the class path.",
				cause);
	}

	/**
	 * Return the configured store, or the default one if the configured value is invalid.
	 */
	private StoreType store() {
		try {
			return StoreType.configured(this.environment);
		}
		catch (BindException ex) {
			return StoreType.JDBC;
		}
	}

	/**
	 * Create an analysis that shows where properties are set, in the format of Spring
	 * Boot's own analyses.
	 * @param properties the full names of properties or groups. A group stands for all of
	 * its properties
	 */
	private FailureAnalysis analysis(String problem, List<String> properties, String remedy, Throwable cause) {
		Map<ConfigurationPropertyName, String> described = new LinkedHashMap<>();
		for (String property : properties) {
			ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
			for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
				Stream<ConfigurationPropertyName> members = (source instanceof IterableConfigurationPropertySource all)
						? all.stream().filter(name::isAncestorOf) : Stream.empty();
				Stream.concat(Stream.of(name), members)
					.map(source::getConfigurationProperty)
					.filter(Objects::nonNull)
					.forEach((found) -> described.putIfAbsent(found.getName(), describe(found)));
			}
		}
		return new FailureAnalysis(problem + describe(described, MAX_LINES - lines(problem) - lines(remedy)), remedy,
				cause);
	}

	/**
	 * Describe as many properties as fit into the given number of lines, and list the
	 * names of the others.
	 */
	private static String describe(Map<ConfigurationPropertyName, String> properties, int lines) {
		int describedCount = Math.max(1, (properties.size() * LINES_PER_PROPERTY <= lines) ? properties.size()
				: (lines - LINES_OF_OTHERS) / LINES_PER_PROPERTY);
		String others = properties.keySet()
			.stream()
			.skip(describedCount)
			.limit(MAX_OTHER_NAMES)
			.map(Object::toString)
			.collect(Collectors.joining(", "));
		if (properties.size() > describedCount + MAX_OTHER_NAMES) {
			others += " and " + (properties.size() - describedCount - MAX_OTHER_NAMES) + " more";
		}
		return properties.values().stream().limit(describedCount).collect(Collectors.joining())
				+ (others.isEmpty() ? "" : String.format("%n%n    Also set: %s", others));
	}

	private static int lines(String text) {
		return (text.length() + LINE_LENGTH - 1) / LINE_LENGTH;
	}

	private static String describe(ConfigurationProperty property) {
		String origin = (property.getOrigin() != null) ? String.format("%n    Origin: %s", property.getOrigin()) : "";
		String value = String.valueOf(property.getValue());
		String name = property.getName().toString();
		if (ADDRESS_PROPERTIES.contains(name)) {
			value = DatabaseAddress.withoutCredentials(value);
		}
		return String.format("%n%n    Property: %s%n    Value: \"%s\"%s", name,
				SECRET.matcher(name).find() ? "******" : value, origin);
	}

}
