package dev.idspring.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.rules.FenceState;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of key spaces.
 *
 * @param hasSlots whether any slot was ever begun
 * @param sessionIsReady whether the session that was asked may reserve
 * @param bridge where its numbers come from until old instances are gone, {@code null}
 * for the counter in the row
 * @param seen which server has written it last and which was asked
 */
record KeySpaceRow(StoredKeySpace keySpace, boolean hasSlots, boolean sessionIsReady, @Nullable Bridge bridge,
		FenceState seen) {

	/**
	 * Return the columns that {@link #read} reads, of a query of the table.
	 * @param sessionIsReady an expression of SQL, empty if there is nothing to ask for
	 */
	static String columns(TableNames tables, String sessionIsReady, FailoverFence fence) {
		return "name, definition, capacity, next_ordinal, case when exists (select 1 from " + tables.slot()
				+ " where key_space = name) then 1 else 0 end, "
				+ (sessionIsReady.isEmpty() ? "1" : "case when " + sessionIsReady + " then 1 else 0 end") + ", bridge"
				+ fence.columns();
	}

	/**
	 * Read a row.
	 * @param first the first of the columns
	 */
	static KeySpaceRow read(ResultSet row, int first, FailoverFence fence) throws SQLException {
		long next = row.getLong(first + 3);
		String bridge = row.getString(first + 6);
		return new KeySpaceRow(
				new StoredKeySpace(row.getString(first), row.getString(first + 1), row.getLong(first + 2), next),
				row.getInt(first + 4) > 0, row.getInt(first + 5) > 0, (bridge != null) ? Bridge.parse(bridge) : null,
				fence.state(row, first + 7, next));
	}

	/**
	 * Return what replaces a definition, if it is the one that is known.
	 */
	static Sql redefinition(String table, String name, String known, String replacement) {
		return new Sql("update " + table + " set definition = ? where name = ? and definition = ?", replacement, name,
				known);
	}

	/**
	 * Return what replaces a key space, if it is the one that is known and was never
	 * used.
	 */
	static Sql replacement(TableNames tables, StoredKeySpace known, StoredKeySpace replacement,
			@Nullable Bridge bridge) {
		return new Sql(
				"update " + tables.keySpace()
						+ " set definition = ?, capacity = ?, next_ordinal = ?, reservation = null,"
						+ " usage_history = ?, bridge = ? where name = ? and definition = ? and next_ordinal = 0"
						+ " and next_slot = 0 and bridge is null and not exists (select 1 from " + tables.slot()
						+ " where key_space = ?)",
				replacement.definition(), replacement.capacity(), replacement.nextOrdinal(),
				UsageHistory.empty().text(), (bridge != null) ? bridge.text() : null, known.name(), known.definition(),
				known.name());
	}

}
