package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Moves a counter of one row ahead and returns its new value, in one statement: a value
 * that a second statement reads may come from another transaction or another server,
 * depending on the session's auto-commit, the table's engine or what splits reads from
 * writes.
 * <p>
 * Databases without such a statement lock the row by an update that changes nothing, read
 * the counter, and move it if it still has that value. Without a transaction the last
 * step fails rather than return a wrong value.
 * <p>
 * On MariaDB and MySQL the value is that of {@code last_insert_id(…)}, in the answer to
 * the update. Afterwards the function {@code last_insert_id()} returns it in this
 * session. {@link Statement#getGeneratedKeys()} of other statements is not affected.
 */
final class MovedRow {

	/** SQLState of a transaction that lost against another one. */
	private static final String SERIALIZATION_FAILURE = "40001";

	private final Connection connection;

	private final int timeoutSeconds;

	private final String table;

	private final String column;

	private final String prelude;

	/** What must hold when the row is moved or locked, and not until it is moved. */
	private final Sql condition;

	private MovedRow(Connection connection, int timeoutSeconds, String table, String column, String prelude,
			Sql condition) {
		this.connection = connection;
		this.timeoutSeconds = timeoutSeconds;
		this.table = table;
		this.column = column;
		this.prelude = prelude;
		this.condition = condition;
	}

	/**
	 * Move a counter ahead.
	 * @param connection in a transaction
	 * @param timeoutSeconds how long each statement may take
	 * @param dialect the database
	 * @param table the table
	 * @param column the counter
	 * @param amount how far to move it, at least 1
	 * @param set further assignments, or {@link Sql#NONE}. They see the counter as it was
	 * before
	 * @param where which row, one at most. Must hold as long as the counter has not moved
	 * @return the new value, or empty if no row matched
	 */
	static OptionalLong move(Connection connection, int timeoutSeconds, Dialect dialect, String table, String column,
			long amount, Sql set, Sql where) throws SQLException {
		return move(connection, timeoutSeconds, dialect, "", table, column, amount, set, where);
	}

	/**
	 * Move a counter ahead, if something else holds that may change at any time.
	 * @param condition must hold when the row is moved or locked, and not a moment later
	 */
	static OptionalLong moveIf(Sql condition, Connection connection, int timeoutSeconds, Dialect dialect, String table,
			String column, long amount, Sql where) throws SQLException {
		MovedRow row = new MovedRow(connection, timeoutSeconds, table, column, "", condition);
		return dialect.move(row, amount, Sql.NONE, where);
	}

	/**
	 * Move a counter ahead in the first statement of a transaction.
	 * @param prelude a query to be executed before, in the same round trip
	 * ({@link Dialect#prelude})
	 */
	static OptionalLong move(Connection connection, int timeoutSeconds, Dialect dialect, String prelude, String table,
			String column, long amount, Sql set, Sql where) throws SQLException {
		MovedRow row = new MovedRow(connection, timeoutSeconds, table, column, prelude, Sql.NONE);
		return dialect.move(row, amount, set, where);
	}

	String column() {
		return this.column;
	}

	/**
	 * Return the statement that moves the counter.
	 */
	Sql update(long amount, Sql set, Sql where) {
		return update(this.column + " + ?", amount, set, where);
	}

	/**
	 * The counter comes last: MariaDB and MySQL assign from left to right, and what is
	 * assigned later sees what was assigned before.
	 */
	Sql update(String moved, long amount, Sql set, Sql where) {
		return statement(moved, amount, set, where.and(this.condition));
	}

	private Sql statement(String moved, long amount, Sql set, Sql where) {
		String separator = set.text.isEmpty() ? "" : ", ";
		return new Sql("update " + this.table + " set " + set.text + separator + this.column + " = " + moved + " where "
				+ where.text, concat(concat(set.values, amount), where.values));
	}

	/**
	 * Change the row by a query that returns the counter.
	 */
	OptionalLong query(String before, Sql update, String after) throws SQLException {
		return SqlStatements
			.queryAfter(this.prelude, this.connection, this.timeoutSeconds, (row) -> row.getLong(1),
					before + update.text + after, update.values)
			.stream()
			.mapToLong(Long::longValue)
			.findFirst();
	}

	/**
	 * Change the row by an update whose counter is a generated key.
	 */
	OptionalLong generated(Sql update) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(update.text,
				Statement.RETURN_GENERATED_KEYS)) {
			statement.setQueryTimeout(this.timeoutSeconds);
			for (int i = 0; i < update.values.length; i++) {
				statement.setObject(i + 1, update.values[i]);
			}
			if (statement.executeUpdate() == 0) {
				return OptionalLong.empty();
			}
			try (ResultSet keys = statement.getGeneratedKeys()) {
				if (!keys.next()) {
					throw new SQLException("The driver did not tell the value of last_insert_id(...) that came with an"
							+ " update of " + this.table);
				}
				return OptionalLong.of(keys.getLong(1));
			}
		}
	}

	/**
	 * Lock the row, read it, and change it.
	 */
	OptionalLong compareAndSet(long amount, Sql set, Sql where) throws SQLException {
		if (change(new Sql("update " + this.table + " set " + this.column + " = " + this.column + " where ").and(where)
			.and(this.condition)) == 0) {
			return OptionalLong.empty();
		}
		OptionalLong found = query("select " + this.column + " from " + this.table + " where ", where, "");
		if (found.isPresent() && change(statement(this.column + " + ?", amount, set,
				new Sql(where.text + " and " + this.column + " = ?", concat(where.values, found.getAsLong())))) == 1) {
			return OptionalLong.of(found.getAsLong() + amount);
		}
		throw new SQLException("Another transaction changed a row of " + this.table + " that this one had locked",
				SERIALIZATION_FAILURE);
	}

	private int change(Sql update) throws SQLException {
		return SqlStatements.update(this.connection, this.timeoutSeconds, update.text, update.values);
	}

	private static @Nullable Object[] concat(@Nullable Object[] values, @Nullable Object... more) {
		return Stream.concat(Stream.of(values), Stream.of(more)).toArray();
	}

	/**
	 * A part of a statement.
	 *
	 * @param text the SQL
	 * @param values the values of its parameters, each a {@code Long}, a {@code String}
	 * or {@code null}
	 */
	record Sql(String text, @Nullable Object... values) {

		/** Nothing. */
		static final Sql NONE = new Sql("");

		/**
		 * Return this part with another one behind it.
		 */
		Sql and(Sql more) {
			return new Sql(this.text + more.text, concat(this.values, more.values));
		}

	}

}
