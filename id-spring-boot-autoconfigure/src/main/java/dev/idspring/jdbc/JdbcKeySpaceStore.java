package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.block.OrdinalRange;
import dev.idspring.block.StoreDescription;
import dev.idspring.block.StoredHistory;
import dev.idspring.block.StoredKeySpace;
import dev.idspring.clock.Deadline;
import dev.idspring.jdbc.FailoverFence.Passage;
import dev.idspring.jdbc.FailoverFence.Seen;
import dev.idspring.monitor.ReservationHistory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps key spaces in a table, one row each:
 *
 * <pre class="code">
 * name          the name of the key space, primary key
 * definition    what fixes the order of its keys
 * capacity      the highest upper bound any instance has asked for
 * next_ordinal  the first ordinal that is not reserved
 * next_slot     the first slot number that was never used (for strategies with slots)
 * usage_history how far it was when, for the forecast
 * </pre>
 *
 * and the columns of the {@link FailoverFence}, which stands before every reservation.
 *
 * Why no ordinal is reserved twice:
 * <ol>
 * <li>A reservation is one short READ COMMITTED transaction of its own that
 * <em>first</em> updates the row and then reads it. The update takes the row's lock, so
 * from there to the commit nobody else changes it, and what is read is what was
 * written.</li>
 * <li>The range is returned after the commit was acknowledged. If that is in doubt, the
 * ordinals are lost, and a repeated attempt reserves later ones.</li>
 * <li>Giving back is a compare-and-set from the end of the range to its start, attempted
 * once: had the first attempt succeeded without our knowing and somebody reserved the
 * range again, a second attempt could free what is in use. Nor is it attempted on a
 * server that took over after the range was reserved.</li>
 * <li>The commit is on disk when it is acknowledged, as far as that can be brought about
 * from here; where it cannot, {@link #describe()} warns.</li>
 * </ol>
 * Must be called on threads that are in no transaction of their own, as the connection of
 * such a thread may be bound to it.
 *
 * @since 0.1.0
 */
public final class JdbcKeySpaceStore implements KeySpaceStore {

	private final JdbcDatabase database;

	/** The server on which the last range of each key space was confirmed. */
	private final ConcurrentMap<String, String> incarnations = new ConcurrentHashMap<>();

	/**
	 * Create a store.
	 * @param database where the table is
	 */
	public JdbcKeySpaceStore(JdbcDatabase database) {
		this.database = database;
	}

	@Override
	public StoreDescription describe() {
		return this.database.describe();
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		Optional<StoredKeySpace> existing = read(name, deadline);
		if (existing.isPresent()) {
			return existing.get();
		}
		try {
			transactions().repeat("create key space '" + name + "'", (connection, timeout) -> {
				insert(connection, timeout, name, definition, capacity);
				return true;
			}, deadline);
		}
		catch (IdStoreUnavailableException ex) {
			// perhaps somebody else was a moment faster, or a failed attempt succeeded
			// after all
			return read(name, deadline).orElseThrow(() -> ex);
		}
		return new StoredKeySpace(name, definition, capacity, 0);
	}

	private void insert(Connection connection, int timeout, String name, String definition, long capacity)
			throws SQLException {
		JdbcDatabase.update(connection, timeout,
				"insert into " + table()
						+ " (name, definition, capacity, next_ordinal, next_slot, usage_history, incarnation)"
						+ " values (?, ?, ?, 0, 0, ?, " + this.database.fence().current("null") + ")",
				name, definition, capacity, ReservationHistory.empty().text());
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		String sql = "update " + table() + " set capacity = ? where name = ? and capacity < ?";
		transactions().repeat("raise the capacity of key space '" + name + "'",
				(connection, timeout) -> JdbcDatabase.update(connection, timeout, sql, capacity, name, capacity),
				deadline);
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		FailoverFence fence = this.database.fence();
		Reserved reserved = transactions().repeat("reserve ids of key space '" + name + "'",
				(connection, timeout) -> reserve(connection, timeout, fence, name, count, bound), deadline);
		if (reserved.takenOver) {
			fence.tellCounter(name);
		}
		if (fence.isOn() && reserved.incarnation != null) {
			this.incarnations.put(name, reserved.incarnation);
		}
		return reserved.range;
	}

	/**
	 * The fence is left to whoever uses the slots of the key space: a counter that makes
	 * no ids must not hide from them that another server has taken over.
	 */
	@Override
	public void count(String name, long count, Deadline deadline) {
		String sql = "update " + table() + " set next_ordinal = next_ordinal + ? where name = ?";
		transactions().repeat("count ids of key space '" + name + "'",
				(connection, timeout) -> JdbcDatabase.update(connection, timeout, sql, count, name), deadline);
	}

	private Reserved reserve(Connection connection, int timeout, FailoverFence fence, String name, long count,
			long bound) throws SQLException {
		long wanted = count;
		boolean takenOver = false;
		while (true) {
			boolean moved = bound >= wanted && move(connection, timeout, fence, name, wanted, bound - wanted);
			Passage passage = moved ? Passage.SAME_SERVER : fence.moveCounter(connection, timeout, name);
			if (passage != Passage.SAME_SERVER) {
				takenOver = passage == Passage.TAKEN_OVER;
				continue;
			}
			Row row = row(connection, timeout, name);
			long next = row.keySpace.nextOrdinal();
			if (moved) {
				return new Reserved(new OrdinalRange(next - wanted, next), row.seen.ofRow(), takenOver);
			}
			long left = bound - next;
			if (left <= 0) {
				return new Reserved(new OrdinalRange(next, next), row.seen.ofRow(), takenOver);
			}
			// what is left, unless others are faster: then there is less
			wanted = Math.min(wanted, left);
		}
	}

	private boolean move(Connection connection, int timeout, FailoverFence fence, String name, long count, long last)
			throws SQLException {
		String sql = "update " + table() + " set next_ordinal = next_ordinal + ? where name = ? and next_ordinal <= ?"
				+ fence.andSameServer();
		return JdbcDatabase.update(connection, timeout, sql, count, name, last) == 1;
	}

	private Row row(Connection connection, int timeout, String name) throws SQLException {
		return select(connection, timeout, name)
			.orElseThrow(() -> new KeySpaceRegressionException("The row of key space '" + name + "' has vanished from "
					+ table() + ". If a backup from before its creation was restored, restart the"
					+ " application, skip the key space ahead of all ids that exist (--ids.skip-ahead.key-space=" + name
					+ " --ids.skip-ahead.by=<how many> --ids.skip-ahead.confirm=true), then restart all instances."));
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		FailoverFence fence = this.database.fence();
		String incarnation = this.incarnations.get(name);
		if (fence.isOn() && incarnation == null) {
			return false;
		}
		String sql = "update " + table() + " set next_ordinal = ? where name = ? and next_ordinal = ?"
				+ (fence.isOn() ? fence.andSameServer() + " and incarnation = ?" : "");
		@Nullable Object[] values = fence.isOn() ? new Object[] { range.start(), name, range.end(), incarnation }
				: new Object[] { range.start(), name, range.end() };
		return transactions().once("give back ids of key space '" + name + "'",
				(connection, timeout) -> JdbcDatabase.update(connection, timeout, sql, values) == 1, deadline);
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		return transactions()
			.read("read key space '" + name + "'", (connection, timeout) -> select(connection, timeout, name), deadline)
			.map(this::fenced);
	}

	private StoredKeySpace fenced(Row row) {
		StoredKeySpace stored = row.keySpace;
		// where there are slots the counter makes no ids: it only counts them
		return row.hasSlots ? stored : new StoredKeySpace(stored.name(), stored.definition(), stored.capacity(),
				this.database.fence().counter(stored.nextOrdinal(), row.seen));
	}

	@Override
	public Optional<StoredHistory> readHistory(String name, Deadline deadline) {
		return transactions().read("read the history of key space '" + name + "'", (connection, timeout) -> {
			Instant now = Instant.ofEpochMilli(this.database.dialect().currentMillis(connection, timeout));
			return JdbcDatabase.queryOne(connection, timeout,
					(row) -> new StoredHistory(ReservationHistory.parse(row.getString(1)), now),
					"select usage_history from " + table() + " where name = ?", name);
		}, deadline);
	}

	@Override
	public void replaceHistory(String name, ReservationHistory known, ReservationHistory replacement,
			Deadline deadline) {
		String sql = "update " + table() + " set usage_history = ? where name = ? and usage_history = ?";
		transactions().once("note the history of key space '" + name + "'", (connection, timeout) -> JdbcDatabase
			.update(connection, timeout, sql, replacement.text(), name, known.text()), deadline);
	}

	private Optional<Row> select(Connection connection, int timeout, String name) throws SQLException {
		return JdbcDatabase.queryOne(connection, timeout,
				(row) -> new Row(new StoredKeySpace(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)),
						row.getLong(5) > 0, this.database.fence().seen(row, 6)),
				"select name, definition, capacity, next_ordinal, case when exists (select 1 from "
						+ this.database.tables().slot() + " where key_space = name) then 1 else 0 end, incarnation, "
						+ this.database.fence().current("incarnation") + " from " + table() + " where name = ?",
				name);
	}

	private JdbcTransactions transactions() {
		return this.database.transactions();
	}

	private String table() {
		return this.database.tables().keySpace();
	}

	/**
	 * A row of the table, and which servers it was last written on and is read from.
	 */
	private record Row(StoredKeySpace keySpace, boolean hasSlots, Seen seen) {

	}

	/**
	 * A range that is reserved once the transaction is committed, the server on which it
	 * is, and whether that has taken over just now.
	 */
	private record Reserved(OrdinalRange range, @Nullable String incarnation, boolean takenOver) {

	}

}
