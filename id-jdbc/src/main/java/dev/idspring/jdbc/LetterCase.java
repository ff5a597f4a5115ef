package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import dev.idspring.InvalidSettingException;

/**
 * Determines whether a column is case-sensitive. The result depends on the column's type
 * and collation. No rows are read.
 *
 * @since 0.1.0
 */
public final class LetterCase {

	/**
	 * A query that returns 1 if the column treats the letters a and A as equal, and 0
	 * otherwise. {@code min} of no rows is null, so {@code coalesce} returns the letter a
	 * with the collation of the column. SQLite needs the union, because the result of
	 * {@code coalesce} has no collation there. The first part of the union, which is a
	 * column, determines the collation of the result.
	 */
	private static final String IGNORES_CASE_QUERY = """
			select count(*) from (select %1$s as c from %2$s where 1 = 0
			union select coalesce(min(%1$s), 'a') as c from %2$s where 1 = 0) x where x.c = 'A'""";

	private LetterCase() {
	}

	/**
	 * Return whether a column treats two strings as equal if they differ only in case.
	 * @param connection a connection
	 * @param timeoutSeconds the timeout of the query
	 * @param table the table as it is written in SQL
	 * @param column a text column as it is written in SQL
	 * @return {@code false} if the column is case-sensitive
	 * @throws SQLException if the query fails, for example if the column's type does not
	 * accept letters
	 */
	public static boolean ignoresCase(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		InvalidSettingException.requireGiven(LetterCase.class, "connection", connection);
		InvalidSettingException.requireGiven(LetterCase.class, "table", table);
		InvalidSettingException.requireGiven(LetterCase.class, "column", column);
		List<Integer> counts = SqlStatements.query(connection, timeoutSeconds, (row) -> row.getInt(1),
				IGNORES_CASE_QUERY.formatted(column, table));
		return counts.get(0) > 0;
	}

	/**
	 * Return how to make a column case-sensitive.
	 * @param connection a connection
	 * @param timeoutSeconds the timeout of each query
	 * @param table the table as it is written in SQL
	 * @param column a text column as it is written in SQL
	 * @return {@code Run: } and a statement, or advice in prose
	 * @throws SQLException if a query fails
	 */
	public static String remedy(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		InvalidSettingException.requireGiven(LetterCase.class, "connection", connection);
		InvalidSettingException.requireGiven(LetterCase.class, "table", table);
		InvalidSettingException.requireGiven(LetterCase.class, "column", column);
		Optional<Dialect> dialect = Dialects.ofProduct(connection.getMetaData().getDatabaseProductName());
		return dialect.isPresent() ? dialect.get().caseSensitivityRemedy(connection, timeoutSeconds, table, column)
				: Dialect.CASE_SENSITIVITY_REMEDY;
	}

}
