package dev.idspring.tools.ddl;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The statements of one database.
 */
interface Dialect {

	/**
	 * Say why no id comes twice.
	 */
	String introduction(TimeFunction function);

	/**
	 * Make what makes ids of time.
	 */
	List<String> create(TimeFunction function);

	/**
	 * Return the time in milliseconds since 1970 as an expression.
	 */
	String currentMillis();

	/**
	 * Return what a query of expressions has between them and its condition.
	 */
	String nothing();

	/**
	 * Join statements that must not take effect if one before them fails.
	 */
	List<String> joined(List<String> statements);

	/**
	 * Make a script for the client and the tools of the database.
	 */
	String script(List<String> statements, @Nullable String introduction);

}
