package dev.idspring.autoconfigure;

import java.io.InputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.configurationmetadata.ConfigurationMetadataProperty;
import org.springframework.boot.configurationmetadata.ConfigurationMetadataRepositoryJsonBuilder;

/**
 * Generates the property tables of {@code docs/configuration.md} from the configuration
 * metadata.
 *
 * <p>
 * A table is between {@code <!-- begin properties GROUP … -->} and
 * {@code <!-- end properties -->}. It contains the properties directly below each of the
 * groups that the first marker lists.
 */
final class PropertyTables {

	private static final Pattern TABLE = Pattern
		.compile("(<!-- begin properties ([^>]+) -->\n).*?(<!-- end properties -->)", Pattern.DOTALL);

	private final Collection<ConfigurationMetadataProperty> properties;

	PropertyTables(InputStream metadata) throws Exception {
		this.properties = new TreeMap<>(
				ConfigurationMetadataRepositoryJsonBuilder.create(metadata).build().getAllProperties())
			.values();
	}

	/**
	 * Return a page in which each table has been regenerated.
	 */
	String update(String text) {
		return TABLE.matcher(text)
			.replaceAll((table) -> Matcher.quoteReplacement(table.group(1) + table(groups(table)) + table.group(3)));
	}

	/**
	 * Return the names of the properties that no table of a page contains.
	 */
	List<String> missing(String text) {
		List<String> shownGroups = TABLE.matcher(text).results().flatMap((table) -> groups(table).stream()).toList();
		return this.properties.stream()
			.map(ConfigurationMetadataProperty::getId)
			.filter(Predicate.not((name) -> shownGroups.contains(group(name))))
			.toList();
	}

	private static List<String> groups(MatchResult table) {
		return List.of(table.group(2).split(" "));
	}

	private static String group(String name) {
		return name.substring(0, name.lastIndexOf('.'));
	}

	private String table(List<String> groups) {
		return groups.stream()
			.flatMap((group) -> this.properties.stream().filter((property) -> group(property.getId()).equals(group)))
			.map(PropertyTables::row)
			.collect(Collectors.joining("", "| property | default | meaning |\n|---|---|---|\n", ""));
	}

	private static String row(ConfigurationMetadataProperty property) {
		Object value = property.getDefaultValue();
		return "| `%s` | %s | %s |\n".formatted(property.getId(), (value != null) ? "`" + value + "`" : "",
				Stream.of(property.getDescription(), describeValues(property))
					.filter(Predicate.not(String::isEmpty))
					.collect(Collectors.joining(" ")));
	}

	/**
	 * Return a sentence with the possible values of a property, or with examples of its
	 * values. The result is empty if neither the type nor a hint lists values.
	 */
	private static String describeValues(ConfigurationMetadataProperty property) {
		List<String> values = constants(property.getType());
		if (values.isEmpty()) {
			values = property.getHints().getValueHints().stream().map((hint) -> hint.getValue().toString()).toList();
		}
		boolean acceptsOtherValues = property.getHints()
			.getValueProviders()
			.stream()
			.anyMatch((provider) -> provider.getName().equals("any"));
		if (values.isEmpty()) {
			return "";
		}
		return (acceptsOtherValues ? "For example " : "One of ")
				+ values.stream().map((value) -> "`" + value + "`").collect(Collectors.joining(", ")) + ".";
	}

	private static List<String> constants(String type) {
		try {
			Object[] constants = Class.forName(type).getEnumConstants();
			return (constants != null) ? Arrays.stream(constants)
				.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
				.toList() : List.of();
		}
		catch (ClassNotFoundException ex) {
			// a generic type, for example, is not the name of a class
			return List.of();
		}
	}

}
