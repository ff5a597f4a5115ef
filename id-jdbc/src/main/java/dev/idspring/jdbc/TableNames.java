package dev.idspring.jdbc;

import java.util.List;
import java.util.Optional;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * The names of the id store's tables. The prefix is validated, because it becomes part of
 * SQL statements.
 */
record TableNames(String prefix) {

	static final String DEFAULT_PREFIX = "ids_";

	/** The remedy for a schema whose name cannot be part of the prefix. */
	static final String CURRENT_SCHEMA_REMEDY = "make it the current schema of the connections"
			+ " (spring.datasource.hikari.schema, or the database in the URL)";

	TableNames {
		verifyPrefix(prefix);
	}

	/**
	 * Verify that a prefix is valid and safe in SQL statements.
	 */
	static void verifyPrefix(String prefix) {
		InvalidSettingException.require(isPrefix(prefix), JdbcSettings.class, "tablePrefix", prefix,
				"must be up to 20 letters, digits and underscores that do not begin with a"
						+ " digit, optionally preceded by the name of a schema and a dot. If the name of the schema"
						+ " needs quotes, leave it out, and " + CURRENT_SCHEMA_REMEDY);
	}

	static boolean isPrefix(@Nullable String prefix) {
		return prefix != null && prefix.matches("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,19}");
	}

	/**
	 * Return the schema in the prefix, empty if there is none.
	 */
	Optional<String> schema() {
		int dot = this.prefix.indexOf('.');
		return (dot > 0) ? Optional.of(this.prefix.substring(0, dot)) : Optional.empty();
	}

	String keySpace() {
		return this.prefix + "key_space";
	}

	String slot() {
		return this.prefix + "slot";
	}

	String gapless() {
		return this.prefix + "gapless";
	}

	/**
	 * Return the names of all tables.
	 */
	List<String> all() {
		return List.of(keySpace(), slot(), gapless());
	}

	/**
	 * Replace the default prefix in a script with this prefix.
	 */
	String replaceIn(String script) {
		return script.replaceAll("\\b" + DEFAULT_PREFIX, this.prefix);
	}

}
