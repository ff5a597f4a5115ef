package dev.idspring.autoconfigure;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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
 * Says where properties are set. Failures name properties in full, also those of packages
 * that know nothing of properties but their names: so they are found in the text.
 */
final class PropertyOrigins {

	private static final Pattern NAME = Pattern
		.compile("(?<![\\w.-])(?:ids(?:\\.[A-Za-z0-9_-]+|\\[[^\\]]+\\])+|spring\\.datasource\\.url)");

	private static final String DATABASE = "spring.datasource.url";

	private static final ConfigurationPropertyName GENERATORS = ConfigurationPropertyName.of("ids.generators");

	private final Environment environment;

	PropertyOrigins(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Describe the properties which a text names and somebody has set, in the form of
	 * Spring Boot's own failure analyses.
	 * @param text names properties
	 * @return begins with an empty line, or is empty if none of them is set
	 */
	String describe(String text) {
		return NAME.matcher(text)
			.results()
			.map(MatchResult::group)
			.filter(ConfigurationPropertyName::isValid)
			.map(ConfigurationPropertyName::of)
			.distinct()
			.flatMap((name) -> find(name).stream())
			.map(PropertyOrigins::describe)
			.distinct()
			.collect(Collectors.joining());
	}

	/**
	 * Find a property or, for a group of properties, the first one that belongs to it.
	 */
	private Optional<ConfigurationProperty> find(ConfigurationPropertyName name) {
		return sources().flatMap((source) -> Optional.ofNullable(source.getConfigurationProperty(name)).stream())
			.findFirst()
			.or(() -> name.equals(GENERATORS) ? Optional.empty() : findInGroup(name));
	}

	private Optional<ConfigurationProperty> findInGroup(ConfigurationPropertyName group) {
		return sources().filter(IterableConfigurationPropertySource.class::isInstance)
			.map(IterableConfigurationPropertySource.class::cast)
			.flatMap((source) -> source.stream()
				.filter(group::isAncestorOf)
				.flatMap((name) -> Optional.ofNullable(source.getConfigurationProperty(name)).stream()))
			.findFirst();
	}

	private Stream<ConfigurationPropertySource> sources() {
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false);
	}

	static String describe(ConfigurationProperty property) {
		String origin = (property.getOrigin() != null) ? String.format("%n    Origin: %s", property.getOrigin()) : "";
		String value = String.valueOf(property.getValue());
		return String.format("%n%n    Property: %s%n    Value: \"%s\"%s", property.getName(),
				property.getName().toString().equals(DATABASE) ? DatabaseAddress.withoutCredentials(value) : value,
				origin);
	}

}
