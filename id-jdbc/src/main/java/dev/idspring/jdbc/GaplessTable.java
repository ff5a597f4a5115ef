package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.IdGenerationException;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.store.ScopedGaplessStore.Draws;
import dev.idspring.text.IdScope;
import org.jspecify.annotations.Nullable;

/**
 * The statements for the table of gapless numbers. The table has one row per sequence,
 * period and scope. For a sequence with scopes, each period also has a row without a
 * scope. That row stores the number of scopes in the period, so that rows need not be
 * counted. A sequence without scopes has a single row.
 */
record GaplessTable(JdbcDatabase database) {

	static final String COLUMNS = "name, scope_period, scope_key, scope_name, next_value, scope_count";

	String name() {
		return this.database.tables().gapless();
	}

	/**
	 * Advance the next number of a scope.
	 * @param condition a further condition, which is checked when the row is locked or
	 * the number is advanced, whichever happens first
	 * @return the next number after the draw, or empty if no row matched
	 */
	OptionalLong advance(Connection connection, int timeout, String name, IdScope scope, int count, long last,
			Sql condition) throws SQLException {
		Sql row = rowCondition(name, scope).append(new Sql(" and next_value <= ?", last - count + 1));
		return CounterUpdate.advance(connection, timeout, this.database.dialect(), name(), "next_value", count, row,
				condition);
	}

	/**
	 * Read the next number.
	 */
	Optional<Long> read(Connection connection, int timeout, String name, IdScope scope) throws SQLException {
		return read(connection, timeout, "next_value", name, scope);
	}

	Optional<Long> read(Connection connection, int timeout, String column, String name, IdScope scope)
			throws SQLException {
		Sql condition = rowCondition(name, scope);
		return SqlStatements.queryOne(connection, timeout, (row) -> row.getLong(1),
				"select " + column + " from " + name() + " where " + condition.text(), condition.values());
	}

	/**
	 * Change a row.
	 * @return the number of changed rows
	 */
	int update(Connection connection, int timeout, Sql set, String name, IdScope scope, Sql condition)
			throws SQLException {
		return new Update(new Sql("update " + name() + " set ").append(set),
				rowCondition(name, scope).append(condition))
			.run(connection, timeout);
	}

	int insert(Connection connection, int timeout, String name, IdScope scope, long first) throws SQLException {
		return SqlStatements.update(connection, timeout,
				"insert into " + name() + " (" + COLUMNS + ") values (?, ?, ?, ?, ?, 0)", name, scope.period(),
				scope.key(), scope.parts().isEmpty() ? null : scope.name(), first);
	}

	/**
	 * Create the row of a scope, and increment the count of scopes. The row with the
	 * count must exist. To prevent a deadlock, it is updated after the insert: the insert
	 * may wait for a caller's transaction that has drawn from the same scope. That caller
	 * may create another scope, and must then not wait for the row with the count.
	 */
	boolean insertAndCount(Connection connection, int timeout, Draws draws, IdScope scope) throws SQLException {
		insert(connection, timeout, draws.name(), scope, draws.first());
		if (update(connection, timeout, new Sql("scope_count = scope_count + 1"), draws.name(), total(scope.period()),
				new Sql(" and scope_count < ?", draws.maxScopes())) == 0) {
			throw new IdGenerationException("The gapless sequence '" + draws.name() + "' has " + draws.maxScopes()
					+ " scopes" + (scope.period().equals("-") ? "" : " in " + scope.period())
					+ ", as many as max-scopes allows, so " + scope + " was not created. Check that no scope comes from"
					+ " unvalidated user input. If all scopes are valid, raise max-scopes.");
		}
		return true;
	}

	/**
	 * Return the scope without parts, whose row stores the number of scopes in a period.
	 */
	static IdScope total(String period) {
		return new IdScope(List.of(), period);
	}

	/**
	 * List at most {@code count} scopes.
	 * @param after the key after which to begin, or {@code null} to list the scopes with
	 * the highest numbers
	 */
	List<ScopeState> list(Connection connection, int timeout, String name, String period, @Nullable String after,
			int count) throws SQLException {
		Sql query = new Sql("select scope_name, scope_key, next_value from " + name()
				+ " where name = ? and scope_period = ? and scope_key <> '-'", name, period)
			.append((after != null) ? new Sql(" and scope_key > ? order by scope_key", after)
					: new Sql(" order by next_value desc, scope_key"));
		return SqlStatements.run(connection, timeout, (statement) -> {
			statement.setMaxRows(count);
			return SqlStatements.rows(statement,
					(row) -> new ScopeState(row.getString(1), row.getString(2), row.getLong(3)));
		}, query.text(), query.values());
	}

	private static Sql rowCondition(String name, IdScope scope) {
		return new Sql("name = ? and scope_period = ? and scope_key = ?", name, scope.period(), scope.key());
	}

}
