package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import dev.idspring.InvalidSettingException;

/**
 * Finds out whether a column tells upper and lower case apart. The database says so by
 * the type and the collation of the column; no row is read.
 *
 * @since 0.1.0
 */
public final class LetterCase {

	/**
	 * Selects the letter a as a value of the column, if that is the letter A there: the
	 * smallest of no values is null, and SQLite knows collations of columns only, to
	 * which the upper part of a union belongs.
	 */
	private static final String IGNORED = """
			select count(*) from (select %1$s as c from %2$s where 1 = 0
			union select coalesce(min(%1$s), 'a') as c from %2$s where 1 = 0) x where x.c = 'A'""";

	private LetterCase() {
	}

	/**
	 * Return whether two texts are one value of a column if they differ in upper and
	 * lower case only.
	 * @param connection a connection
	 * @param timeoutSeconds how long the query may take
	 * @param table the table as it is written in SQL
	 * @param column a column of texts as it is written in SQL
	 * @return {@code false} if the column tells them apart
	 * @throws SQLException if the query fails, as for a column whose type does not take
	 * letters
	 */
	public static boolean isIgnored(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		InvalidSettingException.requireGiven(LetterCase.class, "connection", connection);
		InvalidSettingException.requireGiven(LetterCase.class, "table", table);
		InvalidSettingException.requireGiven(LetterCase.class, "column", column);
		List<Integer> equal = SqlStatements.query(connection, timeoutSeconds, (row) -> row.getInt(1),
				IGNORED.formatted(column, table));
		return equal.get(0) > 0;
	}

	/**
	 * Return how to make a column tell upper and lower case apart.
	 * @param connection a connection
	 * @param timeoutSeconds how long each query may take
	 * @param table the table as it is written in SQL
	 * @param column a column of texts as it is written in SQL
	 * @return {@code Run: } and a statement, or what to do
	 * @throws SQLException if a query fails
	 */
	public static String remedy(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		InvalidSettingException.requireGiven(LetterCase.class, "connection", connection);
		InvalidSettingException.requireGiven(LetterCase.class, "table", table);
		InvalidSettingException.requireGiven(LetterCase.class, "column", column);
		Optional<Dialect> dialect = Dialects.ofProduct(connection.getMetaData().getDatabaseProductName());
		return dialect.isPresent() ? dialect.get().tellCasesApart(connection, timeoutSeconds, table, column)
				: Dialect.TELL_CASES_APART;
	}

}
