package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Advances the counter of one row and returns its new value, in one statement. A separate
 * query could return the value of another transaction or of another server, depending on
 * auto-commit, the table's engine, and proxies that split reads and writes.
 * <p>
 * Databases without such a statement need three statements: an update that locks the row
 * without changing it, a query that reads the counter, and an update that advances the
 * counter if it is unchanged. If these statements do not run in one transaction, the last
 * statement may fail, but the result is never wrong.
 * <p>
 * On MariaDB and MySQL, {@code last_insert_id(…)} makes the server return the new value
 * in its response to the update. As a side effect, the function {@code last_insert_id()}
 * then returns this value in the session. {@link Statement#getGeneratedKeys()} of other
 * statements is not affected.
 *
 * @param condition a condition that only the first update checks: the update that locks
 * the row or, without such an update, the update that advances the counter. Unlike the
 * condition of {@code update}, this condition may become false after the row is locked
 */
record CounterUpdate(Connection connection, int timeoutSeconds, String table, String column, String prelude,
		CounterUpdate.Update update, CounterUpdate.Sql condition) {

	/** The SQLState of a conflict with another transaction. */
	static final String SERIALIZATION_FAILURE = "40001";

	/**
	 * Advance a counter.
	 * @param connection a connection in a transaction
	 * @param timeoutSeconds the timeout of each statement
	 * @param dialect the dialect of the database
	 * @param prelude a query to execute first in the same round trip
	 * ({@link Dialect#prelude}), or an empty string
	 * @param table the table
	 * @param column the counter
	 * @param update an update of at most one row, whose last assignment adds a parameter
	 * to the counter. The condition of the update must remain true until the counter is
	 * advanced
	 * @return the new value, or empty if no row matched
	 */
	static OptionalLong advance(Connection connection, int timeoutSeconds, Dialect dialect, String prelude,
			String table, String column, Update update) throws SQLException {
		return dialect.advance(new CounterUpdate(connection, timeoutSeconds, table, column, prelude, update, Sql.NONE));
	}

	/**
	 * Advance a counter and change nothing else in the row.
	 * @param amount the amount to add, at least 1
	 * @param where the condition that selects the row
	 * @param condition a condition that is checked when the row is locked or the counter
	 * is advanced, whichever happens first
	 */
	static OptionalLong advance(Connection connection, int timeoutSeconds, Dialect dialect, String table, String column,
			long amount, Sql where, Sql condition) throws SQLException {
		Update update = new Update(new Sql("update " + table + " set " + column + " = " + column + " + ?", amount),
				where);
		return dialect.advance(new CounterUpdate(connection, timeoutSeconds, table, column, "", update, condition));
	}

	/**
	 * Advance the counter with a query that returns its new value.
	 * @param before the SQL before the update, with {@code %s} for the counter
	 * @param after the SQL after the update, with {@code %s} for the counter
	 */
	OptionalLong advanceWithQuery(String before, String after) throws SQLException {
		Sql sql = new Update(this.update.head, this.update.where.append(this.condition)).whole();
		return queryValue(this.prelude,
				new Sql(before.formatted(this.column) + sql.text + after.formatted(this.column), sql.values));
	}

	private OptionalLong queryValue(String prelude, Sql query) throws SQLException {
		return SqlStatements
			.queryAfter(prelude, this.connection, this.timeoutSeconds, (row) -> row.getLong(1), query.text,
					query.values)
			.stream()
			.mapToLong(Long::longValue)
			.findFirst();
	}

	/**
	 * Advance the counter with an update that returns its new value as a generated key.
	 * @param function the SQL function that returns its argument as a generated key
	 */
	OptionalLong advanceWithGeneratedKey(String function) throws SQLException {
		String sum = this.column + " + ?";
		String assignment = this.update.head.text.substring(0, this.update.head.text.length() - sum.length());
		Sql head = new Sql(assignment + function + "(" + sum + ")", this.update.head.values);
		Sql sql = new Update(head, this.update.where.append(this.condition)).whole();
		try (PreparedStatement statement = this.connection.prepareStatement(sql.text,
				Statement.RETURN_GENERATED_KEYS)) {
			return SqlStatements.run(statement, this.timeoutSeconds, this::updateAndReadKey, sql.values);
		}
	}

	private OptionalLong updateAndReadKey(PreparedStatement update) throws SQLException {
		if (update.executeUpdate() == 0) {
			return OptionalLong.empty();
		}
		try (ResultSet keys = update.getGeneratedKeys()) {
			if (!keys.next()) {
				throw new SQLException(
						"The driver did not report the value of last_insert_id(...) after an update of " + this.table);
			}
			return OptionalLong.of(keys.getLong(1));
		}
	}

	/**
	 * Lock the row, read the counter, and advance it if it is unchanged.
	 */
	OptionalLong advanceIfUnchanged() throws SQLException {
		Sql where = this.update.where;
		Sql lock = new Sql("update " + this.table + " set " + this.column + " = " + this.column);
		if (run(new Update(lock, where.append(this.condition))) == 0) {
			return OptionalLong.empty();
		}
		Sql query = new Sql("select " + this.column + " from " + this.table + " where ").append(where);
		OptionalLong found = queryValue("", query);
		if (found.isEmpty() || run(new Update(this.update.head,
				where.append(new Sql(" and " + this.column + " = ?", found.getAsLong())))) == 0) {
			throw new SQLException("Another transaction changed a row of " + this.table + " that this one had locked",
					SERIALIZATION_FAILURE);
		}
		Object amount = this.update.head.values[this.update.head.values.length - 1];
		return OptionalLong.of(found.getAsLong() + ((Number) Objects.requireNonNull(amount)).longValue());
	}

	private int run(Update update) throws SQLException {
		return update.run(this.connection, this.timeoutSeconds);
	}

	/**
	 * A part of a statement.
	 *
	 * @param text the SQL
	 * @param values the values of its parameters, each a {@code Long}, a {@code String}
	 * or {@code null}
	 */
	record Sql(String text, @Nullable Object... values) {

		static final Sql NONE = new Sql("");

		/**
		 * Run this part as an update.
		 * @return the number of changed rows
		 */
		int run(Connection connection, int timeoutSeconds) throws SQLException {
			return SqlStatements.update(connection, timeoutSeconds, this.text, this.values);
		}

		/**
		 * Return this part followed by another one, without a separator.
		 */
		Sql append(Sql more) {
			return new Sql(this.text + more.text,
					Stream.concat(Stream.of(this.values), Stream.of(more.values)).toArray());
		}

	}

	/**
	 * An update statement, split before its condition.
	 *
	 * @param head the table and the assignments
	 * @param where the condition
	 */
	record Update(Sql head, Sql where) {

		Sql whole() {
			return this.head.append(new Sql(" where ")).append(this.where);
		}

		int run(Connection connection, int timeoutSeconds) throws SQLException {
			return whole().run(connection, timeoutSeconds);
		}

	}

}
