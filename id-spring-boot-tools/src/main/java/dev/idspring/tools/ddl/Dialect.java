package dev.idspring.tools.ddl;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Generates SQL for one kind of database. The SQL lets the database itself create
 * time-based ids.
 */
interface Dialect {

	/**
	 * Return an explanation of why the function that creates ids never repeats an id.
	 */
	String introduction(TimeFunction function);

	/**
	 * Return the statements that create the function and its counter.
	 */
	List<String> create(TimeFunction function);

	/**
	 * Return an SQL expression for the current time in milliseconds since 1970.
	 */
	String currentMillis();

	/**
	 * Return a space and the {@code from} clause for a query that has a condition but
	 * reads no table. Return an empty string if the database needs no such clause.
	 */
	String dummyFrom();

	/**
	 * Combine statements so that no statement takes effect after an earlier one has
	 * failed.
	 */
	List<String> combined(List<String> statements);

	/**
	 * Return a script for the database's own client, and for Flyway migrations.
	 */
	default String script(List<String> statements, @Nullable String introduction) {
		StringBuilder script = new StringBuilder();
		if (introduction != null) {
			script.append(SqlText.comment(introduction)).append('\n');
		}
		statements.forEach((statement) -> script.append(terminated(statement)).append("\n\n"));
		return script.toString().stripTrailing() + "\n";
	}

	/**
	 * Add the terminator that a statement needs in a script.
	 */
	default String terminated(String statement) {
		return statement + ";";
	}

}
