package dev.idspring.tools.ddl;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The statements of one database.
 */
interface Dialect {

	/**
	 * Explain why no id is repeated.
	 */
	String introduction(TimeFunction function);

	/**
	 * Create the function that makes ids of time.
	 */
	List<String> create(TimeFunction function);

	/**
	 * Return the time in milliseconds since 1970 as an expression.
	 */
	String currentMillis();

	/**
	 * Return the text between the expressions of a query and its condition.
	 */
	String nothing();

	/**
	 * Join statements that must not take effect if an earlier one fails.
	 */
	List<String> joined(List<String> statements);

	/**
	 * Make a script for the client and the tools of the database.
	 */
	String script(List<String> statements, @Nullable String introduction);

}
