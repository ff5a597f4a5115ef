package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.jdbc.FailoverFence.FenceResult;
import dev.idspring.jdbc.SlotFence.Move;
import dev.idspring.jdbc.FailoverFence.Seen;
import dev.idspring.jdbc.JdbcTransactions.NotYetException;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the slots of one key space in one transaction, and passes the
 * {@link FailoverFence} in it.
 */
final class SlotTransaction {

	/** The class of SQLStates of a row that exists already. */
	private static final String CONSTRAINT_VIOLATION = "23";

	private final JdbcDatabase database;

	private final Connection connection;

	private final int timeout;

	private final String keySpace;

	private final long now;

	private final List<Runnable> committed = new ArrayList<>();

	/**
	 * Begin to use a transaction.
	 * @param now the database's time in it
	 */
	SlotTransaction(JdbcDatabase database, Connection connection, int timeout, String keySpace, long now) {
		this.database = database;
		this.connection = connection;
		this.timeout = timeout;
		this.keySpace = keySpace;
		this.now = now;
	}

	long now() {
		return this.now;
	}

	/**
	 * Do what was to be done once the transaction is committed.
	 */
	void committed() {
		this.committed.forEach(Runnable::run);
	}

	private String table() {
		return this.database.tables().slot();
	}

	private String keySpaces() {
		return this.database.tables().keySpace();
	}

	private FailoverFence fence() {
		return this.database.fence();
	}

	/**
	 * Read rows of the key space.
	 * @param condition begins with " and ", or with what follows the conditions
	 */
	List<SlotRow> rows(String condition, @Nullable Object... values) throws SQLException {
		Sql query = new Sql("select " + SlotRow.COLUMNS + " from " + table() + " where key_space = ?", this.keySpace)
			.and(new Sql(condition, values));
		return SqlStatements.query(this.connection, this.timeout, SlotRow::of, query.text(), query.values());
	}

	Optional<SlotRow> row(long number) throws SQLException {
		return rows(" and slot = ?", number).stream().findFirst();
	}

	/**
	 * Read a row in a change, whatever the transaction has read before.
	 */
	Optional<SlotRow> rowNow(long number) throws SQLException {
		return rows(" and slot = ?" + this.database.dialect().forUpdate(), number).stream().findFirst();
	}

	/**
	 * Lock a row unless another transaction has locked it. Where the database cannot do
	 * that, the update waits instead.
	 */
	boolean lock(SlotRow row) throws SQLException {
		String skipLocked = this.database.dialect().skipLocked();
		return skipLocked.isEmpty() || !rows(" and slot = ?" + skipLocked, row.slot().number()).isEmpty();
	}

	/**
	 * Give a slot to the owner, if it has not changed since it was read.
	 */
	Optional<StoredSlot> own(SlotRow row, SlotOwner owner) throws SQLException {
		SlotRow owned = SlotRow.owned(row.slot(), owner, this.now);
		return update(owned, row.slot(), row.token(), new Sql(" and lease_until = ?", row.leaseUntil()));
	}

	/**
	 * Move a slot of an owner, or renew its lease, if owner, position and token are what
	 * the owner knows.
	 */
	Optional<StoredSlot> move(Slot slot, SlotOwner owner, long position) throws SQLException {
		SlotRow moved = SlotRow.owned(slot.at(position), owner, this.now);
		return update(moved, slot, owner.known(slot.number()), ownedHere(owner));
	}

	/**
	 * Leave a slot, under the same condition.
	 */
	boolean release(Slot slot, SlotOwner owner, long position) throws SQLException {
		SlotRow left = new SlotRow(slot.at(position), null, owner.attempt(slot.number()), this.now, 0);
		return update(left, slot, owner.known(slot.number()), ownedHere(owner)).isPresent();
	}

	private Sql ownedHere(SlotOwner owner) {
		return new Sql(" and owner = ?" + fence().andSameServerOfKeySpace(), owner.id());
	}

	/**
	 * Change a row if it is still as expected.
	 * @return the slot as it is then, or empty if it was not
	 */
	private Optional<StoredSlot> update(SlotRow row, Slot known, @Nullable String token, Sql condition)
			throws SQLException {
		Sql update = new Sql(
				"update " + table() + " set next_position = ?, owner = ?, token = ?, leased_at = ?, lease_until = ?"
						+ " where key_space = ? and slot = ? and next_position = ?",
				row.slot().position(), row.owner(), row.token(), row.leasedAt(), row.leaseUntil(), this.keySpace,
				known.number(), known.position())
			.and((token != null) ? new Sql(" and token = ?", token) : new Sql(" and token is null"))
			.and(condition);
		return (change(update) == 1) ? Optional.of(row.stored(this.now)) : Optional.empty();
	}

	private int change(Sql update) throws SQLException {
		return SqlStatements.update(this.connection, this.timeout, update.text(), update.values());
	}

	StoredSlot insert(long number, SlotSpace space, SlotOwner owner) throws SQLException {
		SlotRow row = SlotRow.owned(new Slot(number, space.start(number), space.end(number)), owner, this.now);
		try {
			change(new Sql(
					"insert into " + table() + " (key_space, " + SlotRow.COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?)",
					this.keySpace, number, row.slot().position(), row.slot().end(), row.owner(), row.token(),
					row.leasedAt(), row.leaseUntil()));
		}
		catch (SQLException ex) {
			if (ex.getSQLState() != null && ex.getSQLState().startsWith(CONSTRAINT_VIOLATION)) {
				// it was not there in this transaction's view, which may be an old one
				throw new NotYetException("another instance has begun slot " + number, NotYetException.SOON);
			}
			throw ex;
		}
		return row.stored(this.now);
	}

	/**
	 * Take the next number, in one statement. New series are as many as the fence allows;
	 * nodes need no limit, since their positions are times.
	 */
	OptionalLong moveNumbers(SlotSpace space) throws SQLException {
		boolean limited = space.horizon() == null;
		ReservationSql sql = fence().sql();
		return MovedRow.move(this.connection, this.timeout, this.database.dialect(), "", keySpaces(), "next_slot",
				limited ? sql.nextSeries(this.keySpace, space.count(), fence().slots().unitsPerSeries())
						: sql.nextNode(this.keySpace, space.count()));
	}

	/**
	 * Find out why there is no next number.
	 * @return why to try again, or empty if there are no more
	 */
	Optional<NotYetException> failureReason(SlotSpace space) throws SQLException {
		Fenced fenced = fenced();
		if (fenced.next() >= space.count()) {
			return Optional.empty();
		}
		try {
			if (!fence().followClock(this.connection, this.timeout, this.keySpace, fenced.seen())
					&& !fence().raise(this.connection, this.timeout, this.keySpace, fenced.seen())) {
				fence().verifyAffordable(fenced.seen(), fence().slots().unitsPerSeries());
			}
			return Optional.of(NotYetException.lostToOthers());
		}
		catch (NotYetException ex) {
			return Optional.of(ex);
		}
	}

	long nextNumber() throws SQLException {
		return SqlStatements
			.queryOne(this.connection, this.timeout, (row) -> row.getLong(1),
					"select next_slot from " + keySpaces() + " where name = ?", this.keySpace)
			.orElseThrow(this::keySpaceVanished);
	}

	long countOwned() throws SQLException {
		return SqlStatements
			.queryOne(this.connection, this.timeout, (row) -> row.getLong(1),
					"select count(*) from " + table()
							+ " where key_space = ? and lease_until >= ? and lease_until < ? and owner is not null",
					this.keySpace, this.now, SlotRow.NEVER)
			.orElse(0L);
	}

	void lockNumbers() throws SQLException {
		// some drivers do not count rows that are updated to what they were
		change(new Sql("update " + keySpaces() + " set next_slot = next_slot where name = ?", this.keySpace));
		nextNumber();
	}

	/**
	 * Let the slots be used on this server.
	 * @return whether anything was changed
	 */
	boolean pass(SlotSpace space, SlotOwner owner) throws SQLException {
		Move move = new Move(this.now, space, owner.lease());
		FenceResult result = fence().slots().move(this.connection, this.timeout, this.keySpace, move);
		if (result == FenceResult.TAKEN_OVER) {
			this.committed.add(() -> SlotFence.log(this.keySpace, move));
		}
		return result != FenceResult.SAME_SERVER;
	}

	/**
	 * Return for how many milliseconds nodes still have to wait: another instance may
	 * have begun or taken over any of them on the lost server.
	 */
	long rest(SlotSpace space) throws SQLException {
		return (space.horizon() != null) ? Math.max(0, fenced().until() + 1 - this.now) : 0;
	}

	/**
	 * Return a slot as it will be when the key space is first used on this server.
	 */
	Optional<StoredSlot> read(long number) throws SQLException {
		Optional<SlotRow> row = row(number);
		if (row.isEmpty()) {
			return passedOver(new Slot(number, 0, Long.MAX_VALUE));
		}
		Seen seen = fence().isOn() ? fenced().seen() : Seen.NOTHING;
		return row.map((found) -> found.at(fence().slots().slot(found.slot(), seen)).stored(this.now));
	}

	/**
	 * Return a slot that has no row because it was begun on a server that another one has
	 * replaced. For series, these are the numbers that were passed over. For nodes, these
	 * are all, as none is begun before the waiting period is over.
	 */
	Optional<StoredSlot> passedOver(Slot slot) throws SQLException {
		return (fence().isOn() && fenced().skips(slot.number(), this.now))
				? Optional.of(SlotRow.skipped(slot, this.now).stored(this.now)) : Optional.empty();
	}

	KeySpaceRegressionException vanished(long number) {
		return new KeySpaceRegressionException("The row of slot " + number + " of key space '" + this.keySpace
				+ "' has vanished from " + table() + ".");
	}

	private KeySpaceRegressionException keySpaceVanished() {
		return new KeySpaceRegressionException(
				"The row of key space '" + this.keySpace + "' has vanished from " + keySpaces() + ".");
	}

	private Fenced fenced() throws SQLException {
		return SqlStatements
			.queryOne(this.connection, this.timeout, this::fenced,
					"select next_slot, fenced_slot, fenced_end, fenced_until" + fence().columns() + " from "
							+ keySpaces() + " where name = ?",
					this.keySpace)
			.orElseThrow(this::keySpaceVanished);
	}

	private Fenced fenced(ResultSet row) throws SQLException {
		return new Fenced(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4),
				fence().seen(row, 5, row.getLong(1)));
	}

	/**
	 * What the fence has left in the row of a key space.
	 */
	private record Fenced(long next, long slot, long end, long until, Seen seen) {

		boolean skips(long number, long now) {
			if (this.seen.differ()) {
				return number >= this.next;
			}
			boolean resting = this.slot == this.end && now <= this.until;
			return number >= this.slot && (number < this.end || resting);
		}

	}

}
