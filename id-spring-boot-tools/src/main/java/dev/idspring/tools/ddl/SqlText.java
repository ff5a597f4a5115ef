package dev.idspring.tools.ddl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.tools.ddl.DdlTarget.DdlPlatform;

/**
 * Fills in the SQL templates of this package, and writes strings as SQL literals and
 * comments.
 */
final class SqlText {

	/**
	 * Matches strings that need no escaping in any database, SQL mode or tool that runs
	 * scripts.
	 */
	private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9_. :#-]*");

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-zA-Z]+)\\}");

	private SqlText() {
	}

	/**
	 * Replace the placeholders of a template with values.
	 * @param resource the template, in which a placeholder is the name of a value in
	 * braces
	 * @param values the values by name
	 */
	static String fill(String resource, Map<String, ?> values) {
		return PLACEHOLDER.matcher(read(resource)).replaceAll((placeholder) -> {
			Object value = values.get(placeholder.group(1));
			if (value == null) {
				throw new IllegalStateException("There is no value for " + placeholder.group() + " in " + resource);
			}
			return Matcher.quoteReplacement(value.toString());
		});
	}

	private static String read(String resource) {
		try (InputStream input = SqlText.class.getResourceAsStream(resource)) {
			if (input == null) {
				throw new IllegalStateException("There is no template " + resource);
			}
			return new String(input.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return an SQL expression whose value is the given string. A string that does not
	 * match {@link #HARMLESS} is written in hexadecimal, so that the expression does not
	 * depend on the escaping rules of a server or client.
	 */
	static String literal(DdlPlatform platform, String text) {
		if (HARMLESS.matcher(text).matches()) {
			return "'" + text + "'";
		}
		String hex = HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
		return (platform == DdlPlatform.POSTGRESQL) ? "convert_from(decode('" + hex + "', 'hex'), 'UTF8')"
				: "convert(x'" + hex + "' using utf8mb4)";
	}

	/**
	 * Return an SQL comment that consists of the given lines.
	 */
	static String comment(String lines) {
		return lines.strip().lines().map((line) -> ("-- " + line).stripTrailing() + "\n").reduce("", String::concat);
	}

}
