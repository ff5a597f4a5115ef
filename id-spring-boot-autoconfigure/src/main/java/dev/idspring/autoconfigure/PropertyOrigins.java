package dev.idspring.autoconfigure;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.idspring.jdbc.DatabaseAddress;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Says where properties are set, in the form of Spring Boot's own failure analyses.
 */
final class PropertyOrigins {

	private final Environment environment;

	PropertyOrigins(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Describe those properties that are set.
	 * @param names full names of properties, or of groups of which all are described
	 * @return begins with an empty line, or is empty if none of them is set
	 */
	String describe(Collection<String> names) {
		return names.stream()
			.map(ConfigurationPropertyName::of)
			.distinct()
			.flatMap(this::find)
			.collect(Collectors.toMap(ConfigurationProperty::getName, PropertyOrigins::describe,
					(first, other) -> first, LinkedHashMap::new))
			.values()
			.stream()
			.collect(Collectors.joining());
	}

	private Stream<ConfigurationProperty> find(ConfigurationPropertyName name) {
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.flatMap((source) -> names(source, name).map(source::getConfigurationProperty).filter(Objects::nonNull));
	}

	private static Stream<ConfigurationPropertyName> names(ConfigurationPropertySource source,
			ConfigurationPropertyName name) {
		Stream<ConfigurationPropertyName> group = (source instanceof IterableConfigurationPropertySource iterable)
				? iterable.stream().filter(name::isAncestorOf) : Stream.empty();
		return Stream.concat(Stream.of(name), group);
	}

	static String describe(ConfigurationProperty property) {
		String origin = (property.getOrigin() != null) ? String.format("%n    Origin: %s", property.getOrigin()) : "";
		String value = String.valueOf(property.getValue());
		boolean address = property.getName()
			.toString()
			.equals(DatabaseFailures.DefaultDatabaseUnreachableException.ADDRESS);
		return String.format("%n%n    Property: %s%n    Value: \"%s\"%s", property.getName(),
				address ? DatabaseAddress.withoutCredentials(value) : value, origin);
	}

}
