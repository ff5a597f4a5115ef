package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

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

	@Override
	Bridge.SequenceSql sequences() {
		return new Bridge.SequenceSql("select next value for %1$s from system_range(1, ?)",
				"select base_value from information_schema.sequences"
						+ " where sequence_schema = current_schema and '\"' || sequence_name || '\"' = %2$s");
	}

}
