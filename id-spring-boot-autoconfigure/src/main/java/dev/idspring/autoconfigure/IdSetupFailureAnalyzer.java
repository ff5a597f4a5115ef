package dev.idspring.autoconfigure;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import dev.idspring.ClockException;
import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.autoconfigure.DatabaseFailures.DefaultDatabaseUnreachableException;
import dev.idspring.jdbc.JdbcSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains why the application cannot start with its id generators, where that was
 * configured, and what to do. Ahead of Spring Boot's own analyzers, which do not know how
 * our values are written.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class IdSetupFailureAnalyzer implements FailureAnalyzer {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	private final PropertyOrigins origins;

	IdSetupFailureAnalyzer(Environment environment) {
		this.origins = new PropertyOrigins(environment);
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof IdSetupException ex) {
				return analysis(ex.getProblem(), ex.getProperties(), ex.getRemedy(), ex);
			}
			if (cause instanceof IdGenerationException ex) {
				String action = action(ex);
				return (action != null) ? analysis(String.valueOf(ex.getMessage()), properties(ex), action, ex) : null;
			}
			if (cause instanceof InvalidSettingException ex && ex.getSettings() == JdbcSettings.class) {
				IdSetupException explained = SettingProperties.explain(ex, "ids.jdbc.");
				return analysis(explained.getProblem(), explained.getProperties(), explained.getRemedy(), ex);
			}
			if (cause instanceof BindException ex) {
				return analyze(ex, ex.getProperty());
			}
		}
		return null;
	}

	private static List<String> properties(IdGenerationException ex) {
		if (ex instanceof DefaultDatabaseUnreachableException) {
			return List.of(DefaultDatabaseUnreachableException.ADDRESS);
		}
		return (ex instanceof ColumnRegressionException regression) ? List.of(regression.getProperty()) : List.of();
	}

	private FailureAnalysis analysis(String problem, List<String> properties, String action, Throwable cause) {
		return new FailureAnalysis(problem + this.origins.describe(properties), action, cause);
	}

	private @Nullable FailureAnalysis analyze(BindException ex, @Nullable ConfigurationProperty property) {
		Class<?> type = ex.getTarget().getType().resolve(Object.class);
		if (property == null || !PREFIX.isAncestorOf(property.getName())) {
			return null;
		}
		String problem = property.getName() + " is '" + property.getValue() + "', which is not ";
		String origin = "." + PropertyOrigins.describe(property);
		if (type.isEnum()) {
			String known = Arrays.stream(type.getEnumConstants())
				.map((constant) -> EnumIds.id((Enum<?>) constant))
				.collect(Collectors.joining(", "));
			return new FailureAnalysis(problem + "known" + origin, "Use one of " + known + ".", ex);
		}
		if (type == Instant.class) {
			return new FailureAnalysis(problem + "an instant" + origin,
					"Write date, time and offset, as in 2024-01-01T00:00:00Z or 2024-01-01T01:00:00+01:00. Without an"
							+ " offset it would be another instant in another time zone.",
					ex);
		}
		return null;
	}

	private static @Nullable String action(IdGenerationException cause) {
		if (cause instanceof KeySpaceMismatchException) {
			return "Put the settings back to what the key space was created with, or give the generator a new key"
					+ " space.";
		}
		if (cause instanceof IdStoreUnavailableException) {
			return "Check that the database is up, that spring.datasource.* points to it, and that the user may select,"
					+ " insert and update the tables of the id store.";
		}
		if (cause instanceof NodeUnavailableException) {
			return "Stop an instance, or start this one again when a lease has ended: that of one which was killed ends by"
					+ " itself (ids.lease).";
		}
		if (cause instanceof ClockException) {
			return "Let this machine and that of the database keep their clocks by NTP. ids.clock.max-skew says how far"
					+ " they may differ.";
		}
		if (cause instanceof KeySpaceRegressionException) {
			return "Do what the description says before ids are drawn from this key space again.";
		}
		if (cause instanceof KeySpaceExhaustedException) {
			return "Use another key space with other settings: ids.key-space (ids.generators.<name>.key-space).";
		}
		return null;
	}

}
