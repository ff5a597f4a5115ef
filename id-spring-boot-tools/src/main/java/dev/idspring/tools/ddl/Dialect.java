package dev.idspring.tools.ddl;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Generates SQL for one kind of database. With this SQL, the database itself creates
 * time-based ids.
 */
interface Dialect {

	/**
	 * Return an explanation of why the function that creates ids never repeats an id.
	 */
	String introduction(TimeFunction function);

	/**
	 * Return the statements that create this function.
	 */
	List<String> create(TimeFunction function);

	/**
	 * Return an SQL expression for the current time in milliseconds since 1970.
	 */
	String currentMillis();

	/**
	 * Return the {@code from} clause of a query that reads no table but has a condition.
	 * The clause begins with a space, and is empty if the database needs no such clause.
	 */
	String dummyFrom();

	/**
	 * Combine statements so that no statement takes effect after an earlier one has
	 * failed.
	 */
	List<String> combined(List<String> statements);

	/**
	 * Return a script that the client and the tools of the database can run.
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
	 * Terminate a statement of a script.
	 */
	default String terminated(String statement) {
		return statement + ";";
	}

}
