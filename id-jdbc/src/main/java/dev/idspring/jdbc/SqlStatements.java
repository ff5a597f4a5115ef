package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Prepares and runs statements. The stores do not use Spring's {@code JdbcTemplate},
 * because it can neither run several statements in one round trip nor restore the timeout
 * of a statement.
 */
final class SqlStatements {

	private SqlStatements() {
	}

	/**
	 * Run an update.
	 * @return the number of changed rows
	 */
	static int update(Connection connection, int timeoutSeconds, String sql, @Nullable Object... values)
			throws SQLException {
		return run(connection, timeoutSeconds, PreparedStatement::executeUpdate, sql, values);
	}

	/**
	 * Run a query, and convert its rows.
	 * @return the converted rows
	 */
	static <T> List<T> query(Connection connection, int timeoutSeconds, Row<T> row, String sql,
			@Nullable Object... values) throws SQLException {
		return run(connection, timeoutSeconds, (statement) -> rows(statement, row), sql, values);
	}

	/**
	 * Run a prepared query, and convert its rows.
	 * @return the converted rows
	 */
	static <T> List<T> rows(PreparedStatement statement, Row<T> row) throws SQLException {
		try (ResultSet rows = statement.executeQuery()) {
			return read(rows, row);
		}
	}

	/**
	 * Run a query after another statement in the same round trip, and ignore the result
	 * of that statement.
	 * @param prelude the other statement followed by a semicolon, or an empty string to
	 * run only the query
	 * @return the converted rows
	 */
	static <T> List<T> queryAfter(String prelude, Connection connection, int timeoutSeconds, Row<T> row, String sql,
			@Nullable Object... values) throws SQLException {
		if (prelude.isEmpty()) {
			return query(connection, timeoutSeconds, row, sql, values);
		}
		return run(connection, timeoutSeconds, (statement) -> {
			statement.execute();
			statement.getMoreResults();
			try (ResultSet rows = statement.getResultSet()) {
				return read(rows, row);
			}
		}, prelude + sql, values);
	}

	private static <T> List<T> read(ResultSet rows, Row<T> row) throws SQLException {
		List<T> results = new ArrayList<>();
		while (rows.next()) {
			results.add(row.read(rows));
		}
		return results;
	}

	/**
	 * Run a query that returns at most one row.
	 */
	static <T> Optional<T> queryOne(Connection connection, int timeoutSeconds, Row<T> row, String sql,
			@Nullable Object... values) throws SQLException {
		return query(connection, timeoutSeconds, row, sql, values).stream().findFirst();
	}

	/**
	 * Return the names of the columns of a table.
	 * @param table the table as it is written in SQL
	 */
	static List<String> columns(Connection connection, int timeoutSeconds, String table) throws SQLException {
		return describe(connection, timeoutSeconds, "select * from " + table + " where 1 = 0", (data) -> {
			List<String> columns = new ArrayList<>();
			for (int i = 1; i <= data.getColumnCount(); i++) {
				columns.add(data.getColumnName(i));
			}
			return columns;
		});
	}

	/**
	 * Read the driver's metadata of a column.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 */
	static <T> T describe(Connection connection, int timeoutSeconds, String table, String column, Description<T> result)
			throws SQLException {
		// without the qualifier, SQLite treats an unknown quoted name as a string
		// literal
		return describe(connection, timeoutSeconds, "select x." + column + " from " + table + " x where 1 = 0", result);
	}

	private static <T> T describe(Connection connection, int timeoutSeconds, String sql, Description<T> result)
			throws SQLException {
		return run(connection, timeoutSeconds, (statement) -> {
			try (ResultSet rows = statement.executeQuery()) {
				return result.of(rows.getMetaData());
			}
		}, sql);
	}

	/**
	 * Prepare a statement and run it.
	 */
	static <T> T run(Connection connection, int timeoutSeconds, Step<T> step, String sql, @Nullable Object... values)
			throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			return run(statement, timeoutSeconds, step, values);
		}
	}

	/**
	 * Run a prepared statement.
	 */
	static <T> T run(PreparedStatement statement, int timeoutSeconds, Step<T> step, @Nullable Object... values)
			throws SQLException {
		int timeoutBefore = statement.getQueryTimeout();
		statement.setQueryTimeout(timeoutSeconds);
		try {
			bind(statement, values);
			return step.run(statement);
		}
		finally {
			// in H2 the timeout applies to the whole connection
			restoreQueryTimeout(statement, timeoutBefore);
		}
	}

	private static void bind(PreparedStatement statement, @Nullable Object[] values) throws SQLException {
		for (int i = 0; i < values.length; i++) {
			Object value = values[i];
			if (value instanceof Number number) {
				statement.setLong(i + 1, number.longValue());
			}
			else if (value == null || value instanceof String) {
				statement.setString(i + 1, (String) value);
			}
			else {
				statement.setObject(i + 1, value);
			}
		}
	}

	private static void restoreQueryTimeout(PreparedStatement statement, int timeoutSeconds) {
		try {
			statement.setQueryTimeout(timeoutSeconds);
		}
		catch (SQLException ex) {
			// ignore the failure: either the connection is broken, or the timeout applies
			// only to this statement
		}
	}

	/**
	 * Runs a prepared statement.
	 */
	interface Step<T> {

		T run(PreparedStatement statement) throws SQLException;

	}

	/**
	 * Converts a row.
	 *
	 * @param <T> the type of the result
	 */
	interface Row<T> {

		T read(ResultSet row) throws SQLException;

	}

	/**
	 * Converts the metadata of a query's columns.
	 *
	 * @param <T> the type of the result
	 */
	interface Description<T> {

		T of(ResultSetMetaData data) throws SQLException;

	}

}
