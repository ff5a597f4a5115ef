package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

import dev.idspring.jdbc.MovedRow.Sql;

/**
 * SQLite.
 */
final class SqliteDialect extends Dialect {

	SqliteDialect() {
		super("sqlite", "SQLite", "select cast(round((julianday('now') - 2440587.5) * 86400000) as integer)", 5, 6);
	}

	@Override
	boolean isRemote() {
		return false;
	}

	@Override
	boolean locksTables() {
		return true;
	}

	@Override
	OptionalLong move(MovedRow row, long amount, Sql set, Sql where) throws SQLException {
		return row.query("", row.update(amount, set, where), " returning " + row.column());
	}

	@Override
	void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
		if (Integer.parseInt(query(connection, "PRAGMA synchronous").orElse("2")) < 2) {
			warnings.add("SQLite may lose acknowledged commits when the machine stops:"
					+ " PRAGMA synchronous is below FULL");
		}
	}

}
