package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.jdbc.GeneratedColumn.Kind;

/**
 * The dialect of SQLite.
 */
final class SqliteDialect extends Dialect {

	SqliteDialect() {
		// the error codes SQLITE_BUSY and SQLITE_LOCKED
		super("sqlite", "select cast(round((julianday('now') - 2440587.5) * 86400000) as integer)", 5, 6);
	}

	@Override
	boolean supportsNetworkTimeout() {
		return false;
	}

	@Override
	boolean locksTables() {
		return true;
	}

	@Override
	OptionalLong advance(CounterUpdate update) throws SQLException {
		return update.advanceWithQuery("", " returning %s");
	}

	@Override
	void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
		if (Integer.parseInt(query(connection, "PRAGMA synchronous").orElse("2")) < 2) {
			warnings.add("SQLite may lose acknowledged commits when the machine crashes:"
					+ " PRAGMA synchronous is below FULL");
		}
	}

	@Override
	Optional<GeneratedColumn> findGenerated(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		List<String> names = GeneratedColumn.names(connection, timeoutSeconds, table, column);
		// the values 2 and 3 of hidden mean virtual and stored generated columns
		return GeneratedColumn.find(connection, timeoutSeconds, (row) -> Kind.of(false, row.getInt(1) > 1),
				(identity) -> GeneratedColumn.replacement(connection, timeoutSeconds, table, column),
				"select hidden from pragma_table_xinfo(?) where name = ?", names.subList(1, 3));
	}

}
