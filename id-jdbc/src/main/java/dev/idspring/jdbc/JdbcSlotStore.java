package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.function.LongUnaryOperator;

import dev.idspring.InvalidSettingException;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.RuledSlotStore;
import dev.idspring.store.rules.SlotView;
import dev.idspring.worker.Deadline;

/**
 * Stores the {@linkplain dev.idspring.store.SlotStore slots} of key spaces in a table,
 * with one row per slot:
 *
 * <pre class="code">
 * key_space      the name of the key space; part of the primary key
 * slot           the number of the slot; part of the primary key
 * next_position  the end of its reserved positions, exclusive
 * end_position   the end of the slot, exclusive
 * owner          the id of its owner, null if it has none; 'fail-over' while it waits
 *                after a fail-over
 * token          the token of the last change by an owner, null if a skip or take-over removed it
 * leased_at      the time of the last change by an owner
 * lease_until    the time after which another owner may claim it; 0 if released or skipped,
 *                2^63 - 1 if its owner has used it up
 * </pre>
 *
 * Times are read from the database's clock, in milliseconds since 1970.
 * <p>
 * Call the store only on threads without a transaction, because some DataSources would
 * return the connection of that transaction.
 *
 * @since 0.1.0
 */
public final class JdbcSlotStore extends RuledSlotStore<SQLException> {

	/*
	 * RuledSlotStore explains why no position is used twice. Each change of an existing
	 * slot is one update, whose condition checks everything that the change assumes about
	 * the row. The row lock makes the check and the change atomic. Except in a skip or a
	 * take-over, the condition also checks that this server was the last to write the row
	 * of the key space (FailoverFence). A new slot number is taken in the transaction
	 * that inserts the slot. If a slot is requested by its number, the transaction locks
	 * the row of the key space, checks which server wrote that row last, and then inserts
	 * the slot.
	 *
	 * No transaction waits for long. Rows are locked only by primary key. A claim that
	 * changes the owner of a slot skips locked rows, if the database supports that.
	 */

	private final JdbcDatabase database;

	private final LongUnaryOperator clock;

	/**
	 * Create a store.
	 * @param database the database of the table
	 */
	public JdbcSlotStore(JdbcDatabase database) {
		this(database, LongUnaryOperator.identity());
	}

	/**
	 * Create a store whose clock differs from the database's clock.
	 * @param clock returns the time of the store for a time of the database's clock, both
	 * in milliseconds
	 */
	JdbcSlotStore(JdbcDatabase database, LongUnaryOperator clock) {
		this.database = InvalidSettingException.requireGiven(JdbcSlotStore.class, "database", database);
		this.clock = clock;
	}

	@Override
	public boolean belongsTo(KeySpaceStore keySpaces) {
		InvalidSettingException.requireGiven(JdbcSlotStore.class, "keySpaces", keySpaces);
		return (keySpaces instanceof JdbcKeySpaceStore other) ? other.database() == this.database
				: !(keySpaces instanceof InMemoryKeySpaceStore);
	}

	@Override
	public Instant time(Deadline deadline) {
		StoreArguments.time(deadline);
		return this.database.transactions()
			.read("read the time", (connection, timeout) -> Instant.ofEpochMilli(now(connection, timeout)), deadline);
	}

	@Override
	protected FenceRules rules() {
		return this.database.fence().rules();
	}

	@Override
	protected String place() {
		return this.database.tables().slot();
	}

	@Override
	protected void onSameServer(String keySpace, SlotView view, SlotSpace space, SlotOwner owner) {
		// the prefix is needed because the key space store remembers its own reads of the
		// row under the plain name
		FenceState lost = this.database.fence().findLostState("slots of " + keySpace, view.fence());
		if (lost != null) {
			Horizon horizon = space.horizon();
			FailoverFence.logLoss(keySpace, lost, view.fence().server(),
					(horizon != null) ? RecoveryInstructions.awaitTime(horizon.distance()) : RecoveryInstructions
						.skipSeriesAhead(keySpace, RecoveryInstructions.UNKNOWN, RecoveryInstructions.UNKNOWN));
		}
	}

	@Override
	protected <T> T attempt(String what, String keySpace, Work<T, SQLException> work, Deadline deadline) {
		JdbcTransactions transactions = this.database.transactions();
		return transactions.repeatUntilResult(transactions::repeat, what,
				(connection, timeout) -> work.run(access(connection, timeout, keySpace, true)), deadline);
	}

	@Override
	protected <T> T once(String what, String keySpace, Work<T, SQLException> work, Deadline deadline) {
		JdbcTransactions transactions = this.database.transactions();
		return transactions.repeatUntilResult(transactions::once, what,
				(connection, timeout) -> work.run(access(connection, timeout, keySpace, true)), deadline);
	}

	@Override
	protected <T> T read(String what, String keySpace, Query<T, SQLException> query, Deadline deadline) {
		return this.database.transactions()
			.read(what, (connection, timeout) -> query.run(access(connection, timeout, keySpace, false)), deadline);
	}

	private JdbcSlotAccess access(Connection connection, int timeout, String keySpace, boolean forUpdate)
			throws SQLException {
		return new JdbcSlotAccess(this.database, connection, timeout, keySpace, now(connection, timeout), forUpdate);
	}

	private long now(Connection connection, int timeout) throws SQLException {
		return this.clock.applyAsLong(this.database.dialect().currentMillis(connection, timeout));
	}

	@Override
	public long countOwned(String keySpace, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return this.database.transactions()
			.read("count the owners of slots of key space '" + keySpace + "'",
					(connection, timeout) -> access(connection, timeout, keySpace, false).countOwned(), deadline);
	}

}
