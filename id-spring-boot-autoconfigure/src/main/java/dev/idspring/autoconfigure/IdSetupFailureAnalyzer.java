package dev.idspring.autoconfigure;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.autoconfigure.ColumnVerification.ColumnRegressionException;
import dev.idspring.autoconfigure.GeneratorProperties.Strategy;
import dev.idspring.autoconfigure.JdbcStoreConnector.DatabaseUnreachableException;
import dev.idspring.jdbc.DatabaseAddress;
import dev.idspring.jdbc.JdbcSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains why the application cannot start with its id generators, where that was
 * configured, and what to do. Ahead of Spring Boot's own analyzers, which do not know how
 * our values are written, nor that ids may need no {@code DataSource}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class IdSetupFailureAnalyzer implements FailureAnalyzer {

	/** Values of these are never told. */
	private static final Pattern SECRET = Pattern.compile("\\.(secret|secrets\\[\\d+]\\.key)$");

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	/** Not visible here. */
	private static final String NO_DATA_SOURCE = "org.springframework.boot.jdbc.autoconfigure.DataSourceProperties"
			+ "$DataSourceBeanCreationException";

	private static final Map<Class<?>, String> ACTIONS = Map.of(KeySpaceMismatchException.class,
			"Put the settings back to what the key space was created with, or give the generator a new key space:"
					+ " ids.key-space (ids.generators.<name>.key-space). An application that shares its tables with"
					+ " another one needs names of its own.",
			IdStoreUnavailableException.class,
			"Check that the database is up, that spring.datasource.* points to it, that it is neither a standby nor"
					+ " read-only, and that the user may select, insert and update the tables of the id store.",
			NodeUnavailableException.class,
			"Stop an instance, or start this one again when a lease has ended: that of one which was killed ends by"
					+ " itself (ids.lease).",
			ClockException.class,
			"Let this machine and that of the database keep their clocks by NTP. ids.clock.max-skew says how far they"
					+ " may differ.",
			KeySpaceRegressionException.class,
			"Do what the description says before ids are drawn from this key space again.",
			KeySpaceExhaustedException.class,
			"Use another key space with other settings: ids.key-space (ids.generators.<name>.key-space).");

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
				return analyze(ex);
			}
			if (cause instanceof InvalidSettingException ex && ex.getSettings() == JdbcSettings.class) {
				return analyze((Throwable) GeneratorPropertiesBinder.explain(ex, "ids.jdbc."));
			}
			if (cause instanceof BindException ex) {
				return analyze(ex, ex.getProperty());
			}
			if (cause.getClass().getName().equals(NO_DATA_SOURCE)) {
				return analyzeNoDataSource(cause);
			}
		}
		return null;
	}

	private @Nullable FailureAnalysis analyze(IdGenerationException ex) {
		List<String> properties = (ex instanceof DatabaseUnreachableException)
				? List.of(DatabaseUnreachableException.ADDRESS)
				: (ex instanceof ColumnRegressionException regression) ? List.of(regression.getProperty()) : List.of();
		return ACTIONS.entrySet()
			.stream()
			.filter((action) -> action.getKey().isInstance(ex))
			.findFirst()
			.map((action) -> analysis(String.valueOf(ex.getMessage()), properties, action.getValue(), ex))
			.orElse(null);
	}

	private static @Nullable FailureAnalysis analyze(BindException ex, @Nullable ConfigurationProperty property) {
		Class<?> type = ex.getTarget().getType().resolve(Object.class);
		if (property == null || !PREFIX.isAncestorOf(property.getName())) {
			return null;
		}
		String problem = property.getName() + " is '" + property.getValue() + "', which is not ";
		if (type.isEnum()) {
			String known = Arrays.stream(type.getEnumConstants())
				.map((constant) -> Strategy.nameOf((Enum<?>) constant))
				.collect(Collectors.joining(", "));
			return new FailureAnalysis(problem + "known." + describe(property), "Use one of " + known + ".", ex);
		}
		return (type != Instant.class) ? null
				: new FailureAnalysis(problem + "an instant." + describe(property),
						"Write date, time and offset, as in 2024-01-01T00:00:00Z or 2024-01-01T01:00:00+01:00. Without"
								+ " an offset it would be another instant in another time zone.",
						ex);
	}

	/**
	 * The starter brings Spring Boot's {@code DataSource}, which cannot be made in an
	 * application that has no database.
	 */
	private @Nullable FailureAnalysis analyzeNoDataSource(Throwable cause) {
		StoreType store;
		try {
			store = StoreType.configured(this.environment);
		}
		catch (BindException ex) {
			return null;
		}
		return (store == StoreType.JDBC) ? null : new FailureAnalysis("Spring Boot cannot make a DataSource: "
				+ cause.getMessage() + ". Ids do not need one, as ids.store is " + store.id()
				+ ", but id-spring-boot-starter brings spring-boot-starter-jdbc, for which Spring Boot makes one.",
				"If the application has no database, set spring.autoconfigure.exclude to"
						+ " org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration. If it has one, set"
						+ " spring.datasource.url, or put an embedded database on the class path.",
				cause);
	}

	/**
	 * Say where properties are set, in the form of Spring Boot's own analyses.
	 * @param properties full names of properties, or of groups of which all are described
	 */
	private FailureAnalysis analysis(String problem, List<String> properties, String action, Throwable cause) {
		Map<ConfigurationPropertyName, String> described = new LinkedHashMap<>();
		for (String property : properties) {
			ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
			for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
				Stream<ConfigurationPropertyName> group = (source instanceof IterableConfigurationPropertySource all)
						? all.stream().filter(name::isAncestorOf) : Stream.empty();
				Stream.concat(Stream.of(name), group)
					.map(source::getConfigurationProperty)
					.filter(Objects::nonNull)
					.forEach((found) -> described.putIfAbsent(found.getName(), describe(found)));
			}
		}
		return new FailureAnalysis(problem + String.join("", described.values()), action, cause);
	}

	private static String describe(ConfigurationProperty property) {
		String origin = (property.getOrigin() != null) ? String.format("%n    Origin: %s", property.getOrigin()) : "";
		String value = String.valueOf(property.getValue());
		String name = property.getName().toString();
		if (name.equals(DatabaseUnreachableException.ADDRESS)) {
			value = DatabaseAddress.withoutCredentials(value);
		}
		return String.format("%n%n    Property: %s%n    Value: \"%s\"%s", name,
				SECRET.matcher(name).find() ? "******" : value, origin);
	}

}
