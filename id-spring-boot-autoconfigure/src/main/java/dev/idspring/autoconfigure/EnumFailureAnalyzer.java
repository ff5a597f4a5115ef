package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains that a value is none of those there are. Ahead of Spring Boot's own analyzer,
 * which knows the constants but not how they are written in configuration files.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class EnumFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		Class<?> type = cause.getTarget().getType().resolve(Object.class);
		if (property == null || !type.isEnum() || !PREFIX.isAncestorOf(property.getName())) {
			return null;
		}
		String known = Arrays.stream(type.getEnumConstants())
			.map((constant) -> EnumIds.id((Enum<?>) constant))
			.collect(Collectors.joining(", "));
		return new FailureAnalysis(property.getName() + " is '" + property.getValue() + "', which is not known."
				+ PropertyOrigins.describe(property), "Use one of " + known + ".", cause);
	}

}
