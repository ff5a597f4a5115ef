package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.KeySpaceView;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of key spaces.
 *
 * @param hasSlots whether the key space has any slots
 * @param sessionIsReady whether the session has the settings that a reservation requires
 * @param bridge the source of numbers that is shared with old instances, or {@code null}
 * if the numbers come from the counter in this row
 * @param fenceState the state of the fence, including the server that wrote the row last
 * and the server that was queried
 */
record KeySpaceRow(StoredKeySpace keySpace, boolean hasSlots, boolean sessionIsReady, @Nullable Bridge bridge,
		FenceState fenceState) {

	/**
	 * Return the columns that a query must select for {@link #read}.
	 * @param readyCondition the result of {@link JdbcTransactions#readyCondition}
	 */
	static String columns(TableNames tables, String readyCondition, FailoverFence fence) {
		return "name, definition, capacity, next_ordinal, case when exists (select 1 from " + tables.slot()
				+ " where key_space = name) then 1 else 0 end, "
				+ (readyCondition.isEmpty() ? "1" : "case when " + readyCondition + " then 1 else 0 end") + ", bridge"
				+ fence.columns();
	}

	/**
	 * Read a row from a result set.
	 * @param first the index of the first column of {@link #columns}
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
	 * Read the row of a key space.
	 * @param prelude a query to execute first in the same round trip, followed by a
	 * semicolon, or an empty string
	 * @param lock the locking clause of the query, or an empty string
	 */
	static Optional<KeySpaceRow> select(JdbcDatabase database, Connection connection, int timeout, String name,
			String prelude, String lock) throws SQLException {
		FailoverFence fence = database.fence();
		return SqlStatements.queryAfter(prelude, connection, timeout, (row) -> KeySpaceRow.read(row, 1, fence),
				"select " + columns(database.tables(), database.transactions().readyCondition(), fence) + " from "
						+ database.tables().keySpace() + " where name = ?" + lock,
				name)
			.stream()
			.findFirst();
	}

	KeySpaceView view() {
		return new KeySpaceView(this.keySpace, this.hasSlots, "", this.fenceState);
	}

}
