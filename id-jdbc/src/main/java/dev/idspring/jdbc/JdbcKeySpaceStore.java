package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.KeySpaceAccess.Reserved;
import dev.idspring.store.rules.KeySpaceView;
import dev.idspring.store.rules.RuledKeySpaceStore;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Stores key spaces in a table, with one row per key space: <pre class="code">
 * name          the name of the key space, primary key
 * definition    the settings that determine the order of its keys
 * capacity      the size of the key space in ordinals: the largest that an instance has set
 * next_ordinal  the counter: the first ordinal that is not reserved
 * next_slot     the number of the next new slot; numbers that are already in use are skipped
 * usage_history samples of the {@link UsageHistory}
 * reservation   the token of the last reservation; null if there is none, or it was given back
 * bridge        the {@link Bridge} that provides the ordinals; null if the counter provides them
 * </pre>
 *
 * Other columns of the row belong to the {@link FailoverFence}, which protects against
 * lost commits after a fail-over. Every reservation checks the fence.
 * <p>
 * Never call the store on a thread with a transaction, because some DataSources would
 * return the connection of that transaction.
 *
 * @since 0.1.0
 */
public final class JdbcKeySpaceStore extends RuledKeySpaceStore<SQLException> {

	/*
	 * RuledKeySpaceStore explains why no ordinal is reserved twice. In this store:
	 *
	 * 1. A reservation is one statement that advances next_ordinal and returns its new
	 * value (ReservationSql). If a database cannot return the new value, the statement
	 * advances next_ordinal only if it still has the value that an earlier statement read
	 * (CounterUpdate). So a reservation is correct at any isolation level, with and
	 * without auto-commit, and through a proxy that sends reads to another server.
	 *
	 * 2. The statement runs in a transaction that is committed explicitly. The range is
	 * returned only after the commit has been acknowledged.
	 *
	 * 3. With a bridge, the ordinals come from the source that old instances of the
	 * application use. One statement advances next_ordinal to the end of these ordinals,
	 * if next_ordinal is not beyond their start. So these ordinals do not overlap those
	 * of earlier or later reservations. No ordinals are taken from next_ordinal itself,
	 * because old instances draw numbers above it from the source.
	 *
	 * 4. An acknowledged commit is on disk. If the store cannot ensure that, describe()
	 * returns a warning.
	 */

	private final JdbcDatabase database;

	/**
	 * The fence states that the current server seems to have lost, by key-space name. An
	 * entry is removed when the server confirms a reservation, or when the row again
	 * names the server that wrote the lost state.
	 */
	private final ConcurrentMap<String, FenceState> lostStates = new ConcurrentHashMap<>();

	/**
	 * Create a store.
	 * @param database the database of the table
	 */
	public JdbcKeySpaceStore(JdbcDatabase database) {
		this.database = InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "database", database);
	}

	JdbcDatabase database() {
		return this.database;
	}

	@Override
	public StoreDescription describe() {
		return this.database.describe();
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		StoreArguments.create(name, definition, capacity, deadline);
		// a row with a bridge is read again, because its position depends on the source
		Optional<StoredKeySpace> found = this.database.takePreloadedRow(name)
			.filter((row) -> row.bridge() == null)
			.or(() -> insertAndRead(name, definition, capacity, deadline))
			.map((row) -> predicted(row.view()))
			.or(() -> read(name, deadline));
		StoredKeySpace stored = found.isPresent() ? found.get() : insert(name, definition, capacity, deadline);
		return remember(stored);
	}

	/**
	 * Insert and read a row in a transaction that takes a single round trip. The method
	 * attempts this only before the deadline for opening the database. Until then, a row
	 * that was not preloaded probably does not exist.
	 * @return the new row, or empty if a row already existed, or if the attempt was not
	 * made or failed
	 */
	private Optional<KeySpaceRow> insertAndRead(String name, String definition, long capacity, Deadline deadline) {
		String returning = this.database.dialect().insertReturningClause();
		if (returning.isEmpty() || !this.database.isBeforeOpeningDeadline()) {
			return Optional.empty();
		}
		Sql insert = insertStatement(new StoredKeySpace(name, definition, capacity, 0), null);
		String sql = insert.text() + returning
				+ KeySpaceRow.columns(this.database.tables(), transactions().readyCondition(), fence()) + "; COMMIT";
		try {
			return transactions().reserve("create key space '" + name + "'",
					(connection, timeout) -> SqlStatements
						.queryAfter(transactions().prelude(connection), connection, timeout,
								(row) -> KeySpaceRow.read(row, 1, fence()), sql, insert.values())
						.stream()
						.findFirst(),
					deadline);
		}
		catch (IdStoreUnavailableException ex) {
			// a database that imitates PostgreSQL may not support the statement
			return Optional.empty();
		}
	}

	private StoredKeySpace insert(String name, String definition, long capacity, Deadline deadline) {
		try {
			Sql insert = insertStatement(new StoredKeySpace(name, definition, capacity, 0), null);
			transactions().repeat("create key space '" + name + "'", insert::run, deadline);
		}
		catch (IdStoreUnavailableException ex) {
			// another instance may have created the row first, or an attempt that seemed
			// to fail may have succeeded
			return read(name, deadline).orElseThrow(() -> ex);
		}
		return new StoredKeySpace(name, definition, capacity, 0);
	}

	/**
	 * Return the statement that inserts the row of a key space.
	 * @param bridge the stored form of the bridge, or {@code null} if there is none
	 */
	Sql insertStatement(StoredKeySpace keySpace, @Nullable String bridge) {
		return new Sql("insert into " + table()
				+ " (name, definition, capacity, next_ordinal, next_slot, usage_history, bridge, incarnation,"
				+ " line_time, line_rate, line_raised_rate, line_raised_at, line_held_until)"
				+ " values (?, ?, ?, ?, 0, ?, ?, " + fence().incarnationOr("null") + ", " + fence().unusedLine() + ")",
				keySpace.name(), keySpace.definition(), keySpace.capacity(), keySpace.nextOrdinal(),
				UsageHistory.empty().text(), bridge);
	}

	@Override
	protected FenceRules rules() {
		return fence().rules();
	}

	@Override
	protected <T> T attempt(String what, String name, Work<T, SQLException> work, Deadline deadline) {
		JdbcTransactions transactions = transactions();
		return transactions.repeatUntilResult(transactions::reserve, what,
				(connection, timeout) -> work.run(access(connection, timeout, name)), deadline);
	}

	@Override
	protected <T> T change(String what, String name, Work<T, SQLException> work, Deadline deadline) {
		return Objects.requireNonNull(transactions()
			.repeat(what, (connection, timeout) -> work.run(access(connection, timeout, name)), deadline)
			.result());
	}

	@Override
	protected <T> T once(String what, String name, Work<T, SQLException> work, Deadline deadline) {
		return Objects.requireNonNull(transactions()
			.once(what, (connection, timeout) -> work.run(access(connection, timeout, name)), deadline)
			.result());
	}

	private JdbcKeySpaceAccess access(Connection connection, int timeout, String name) {
		return new JdbcKeySpaceAccess(this.database, connection, timeout, name);
	}

	@Override
	protected KeySpaceRegressionException missingKeySpace(String name) {
		return new KeySpaceRegressionException("The row of key space '" + name + "' has vanished from " + table() + ". "
				+ RecoveryInstructions.createAgain("") + " "
				+ RecoveryInstructions.skipAhead(name, RecoveryInstructions.UNKNOWN));
	}

	/**
	 * Record whether this server lacks a state that this instance has read on another
	 * server.
	 */
	@Override
	protected void onView(String name, KeySpaceView view) {
		FenceState found = fence().findLostState(name, view.fence());
		if (found != null) {
			this.lostStates.put(name, found);
		}
		else {
			this.lostStates.computeIfPresent(name,
					(key, before) -> Objects.equals(before.writer(), view.fence().writer()) ? null : before);
		}
	}

	/**
	 * Fail if this server has confirmed a reservation of ordinals that were already
	 * reserved on another server. A read alone is not a reason to fail, because a lagging
	 * replica may have answered. A replica cannot confirm a reservation.
	 */
	@Override
	protected void onReserved(String name, @Nullable Reserved before, Reserved reserved) {
		FenceState lostState = this.lostStates.remove(name);
		if (lostState == null) {
			return;
		}
		// if the server that wrote the lost state also confirmed the previous reservation
		// of this instance, that reservation may be newer than the lost state
		long position = (before != null && Objects.equals(before.server(), lostState.writer()))
				? Math.max(before.range().end(), lostState.line().position()) : lostState.line().position();
		long missing = position - reserved.range().start();
		String message = FailoverFence.logLoss(name, lostState, reserved.server(),
				RecoveryInstructions.skipAhead(name, (missing > 0) ? missing : RecoveryInstructions.UNKNOWN));
		if (missing > 0) {
			throw new KeySpaceRegressionException(message);
		}
	}

	@Override
	public OrdinalRange skip(String name, long count, long bound, Deadline deadline) {
		StoreArguments.reserve(name, count, bound, deadline);
		Bridge bridge = bridge(name, deadline).orElse(null);
		if (bridge != null) {
			throw bridge.notAdvanced(name);
		}
		return super.skip(name, count, bound, deadline);
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return transactions().read("read key space '" + name + "'", (connection, timeout) -> {
			Optional<KeySpaceRow> row = select(connection, timeout, name, "");
			if (row.map((found) -> found.keySpace().nextOrdinal()).orElse(0L) < reservedEnd(name)) {
				// a replica that lags behind may have answered. Only the primary answers
				// a query that locks the row
				row = select(connection, timeout, name, this.database.dialect().currentReadClause());
			}
			if (row.isEmpty()) {
				return Optional.empty();
			}
			StoredKeySpace stored = predicted(row.get().view());
			Bridge bridge = row.get().bridge();
			long firstUnused = (bridge != null) ? bridge.firstUnused(connection, timeout, this.database.dialect()) : 0;
			return Optional.of(new StoredKeySpace(name, stored.definition(), stored.capacity(),
					Math.max(stored.nextOrdinal(), Math.min(firstUnused, stored.capacity()))));
		}, deadline);
	}

	Optional<KeySpaceRow> readRow(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return transactions().read("read key space '" + name + "'",
				(connection, timeout) -> select(connection, timeout, name, ""), deadline);
	}

	private Optional<KeySpaceRow> select(Connection connection, int timeout, String name, String lock)
			throws SQLException {
		return KeySpaceRow.select(this.database, connection, timeout, name, "", lock);
	}

	/**
	 * Read the bridge of a key space.
	 * @param name the name of the key space
	 * @param deadline the time by which the operation must end
	 * @return the bridge, or empty if the key space has none
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public Optional<Bridge> bridge(String name, Deadline deadline) {
		return readRow(name, deadline).map(KeySpaceRow::bridge);
	}

	@Override
	public Optional<StoredHistory> readHistory(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return transactions().read("read the history of key space '" + name + "'", (connection, timeout) -> {
			Instant now = Instant.ofEpochMilli(this.database.dialect().currentMillis(connection, timeout));
			return SqlStatements.queryOne(connection, timeout,
					(row) -> new StoredHistory(UsageHistory.parse(row.getString(1)), now),
					"select usage_history from " + table() + " where name = ?", name);
		}, deadline);
	}

	@Override
	public void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
		StoreArguments.replaceHistory(name, known, replacement, deadline);
		String sql = "update " + table() + " set usage_history = ? where name = ? and usage_history = ?";
		transactions().once("store the history of key space '" + name + "'", (connection, timeout) -> SqlStatements
			.update(connection, timeout, sql, replacement.text(), name, known.text()), deadline);
	}

	private FailoverFence fence() {
		return this.database.fence();
	}

	private JdbcTransactions transactions() {
		return this.database.transactions();
	}

	private String table() {
		return this.database.tables().keySpace();
	}

}
