package dev.idspring.autoconfigure;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains that an epoch is no instant. Ahead of Spring Boot's own analyzer, which cannot
 * know what to do about it.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class EpochFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		if (property == null || cause.getTarget().getType().resolve() != Instant.class
				|| !PREFIX.isAncestorOf(property.getName())) {
			return null;
		}
		return new FailureAnalysis(
				property.getName() + " is '" + property.getValue() + "', which is not an instant."
						+ PropertyOrigins.describe(property),
				"Write date, time and offset, as in 2024-01-01T00:00:00Z or 2024-01-01T01:00:00+01:00. Without an offset"
						+ " it would be another instant in another time zone.",
				cause);
	}

}
