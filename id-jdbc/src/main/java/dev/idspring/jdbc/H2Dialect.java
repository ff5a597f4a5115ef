package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.jdbc.MovedRow.Sql;

/**
 * H2.
 */
final class H2Dialect extends Dialect {

	H2Dialect() {
		super("h2", "H2", "select " + clock(1_000), 50200, 90131);
	}

	/**
	 * Not the difference between two times with an offset, of which H2 compares the local
	 * fields.
	 */
	private static String clock(int perSecond) {
		return "cast(floor(extract(epoch from current_timestamp) * " + perSecond + ") as bigint)";
	}

	@Override
	boolean isRemote() {
		return false;
	}

	@Override
	String skipLocked() {
		return " for update skip locked";
	}

	@Override
	OptionalLong move(MovedRow row, long amount, Sql set, Sql where) throws SQLException {
		return row.query("select " + row.column() + " from final table (", row.update(amount, set, where), ")");
	}

	@Override
	void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
		// by default commits reach the disk half a second after they are acknowledged
		writeAtOnce(connection, "jdbc:h2:mem:", "SET WRITE_DELAY 0", warnings);
	}

	/**
	 * Lets the fence be tried in this JVM.
	 */
	@Override
	String clockMicros() {
		return clock(1_000_000);
	}

	/**
	 * A database with IGNORECASE makes another type of VARCHAR, even in this statement.
	 * Columns that have their type stay as they are.
	 */
	@Override
	String tellCasesApart(Connection connection, int timeoutSeconds, String table, String column) throws SQLException {
		ColumnType type = ColumnType.read(connection, timeoutSeconds, table, column);
		if (!type.name().equals("VARCHAR_IGNORECASE")) {
			return "All columns of an H2 database have its collation, which cannot be changed once it has tables:"
					+ " remove COLLATION from the URL, or in a new database run: set collation off;";
		}
		boolean ignored = query(connection,
				"select 1 from information_schema.settings where setting_name = 'IGNORECASE'"
						+ " and setting_value = '1'")
			.isPresent();
		return "Run: " + (ignored ? "set ignorecase false; " : "") + "alter table " + table + " alter column " + column
				+ " set data type varchar(" + type.size() + ");";
	}

	@Override
	Bridge.SequenceSql sequences() {
		return new Bridge.SequenceSql("select next value for %1$s from system_range(1, ?)",
				"select base_value from information_schema.sequences"
						+ " where sequence_schema = current_schema and '\"' || sequence_name || '\"' = %2$s");
	}

}
