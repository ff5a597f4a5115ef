package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.jdbc.JdbcTransactions.NotYetException;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.rules.SlotAccess;
import dev.idspring.store.rules.SlotState;
import dev.idspring.store.rules.SlotTakeOver;
import dev.idspring.store.rules.SlotTakeOver.Replacement;
import dev.idspring.store.rules.SlotView;
import dev.idspring.store.rules.SlotView.Fenced;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the slots of one key space in one transaction.
 */
final class JdbcSlotAccess extends FailoverFence.Access implements SlotAccess<SQLException> {

	static final String COLUMNS = "slot, next_position, end_position, owner, token, leased_at, lease_until";

	private static final String NOT_USED_UP = " and next_position < end_position";

	/**
	 * The same condition as {@link #NOT_USED_UP}, written so that reads can use the index
	 * on {@code lease_until}. The comparison of {@code lease_until} excludes only slots
	 * that are used up, because the statement that writes {@link SlotState#NEVER} also
	 * sets the position to the end. A take-over and a skip use {@link #NOT_USED_UP}
	 * instead: they must also find slots whose position was later set back by hand.
	 */
	private static final String NOT_USED_UP_INDEXED = " and lease_until < " + SlotState.NEVER + NOT_USED_UP;

	/**
	 * The class of SQLStates for constraint violations, such as a duplicate key.
	 */
	private static final String CONSTRAINT_VIOLATION = "23";

	/** The maximum number of slots that one statement replaces. */
	private static final int CHUNK_SIZE = 100;

	private final long now;

	private final boolean forUpdate;

	/**
	 * Create access to the slots of a key space.
	 * @param now the time of the database's clock in this transaction
	 * @param forUpdate whether reads must be current because changes follow
	 */
	JdbcSlotAccess(JdbcDatabase database, Connection connection, int timeout, String keySpace, long now,
			boolean forUpdate) {
		super(database, connection, timeout, keySpace);
		this.now = now;
		this.forUpdate = forUpdate;
	}

	@Override
	public SlotView view(OptionalLong number) throws SQLException {
		return view(number.isPresent() ? new Sql(" and slot = ?", number.getAsLong())
				: new Sql((this.forUpdate ? NOT_USED_UP : NOT_USED_UP_INDEXED) + " order by slot"));
	}

	@Override
	public SlotView viewCurrent(long number) throws SQLException {
		return view(new Sql(" and slot = ?" + this.database.dialect().currentReadClause(), number));
	}

	@Override
	public SlotView viewClaimable(SlotOwner owner) throws SQLException {
		return view(new Sql(NOT_USED_UP_INDEXED + " and (owner = ? or lease_until < ?)", owner.id(), this.now));
	}

	/**
	 * Read the counters before the slots. In the opposite order, if another instance
	 * created a slot between the two queries, the counter would include the slot, but the
	 * list would lack it.
	 */
	private SlotView view(Sql condition) throws SQLException {
		String lock = this.database.dialect().currentReadClause();
		SlotView counters = queryCounters((this.forUpdate && fence().isOn()) ? lock : "");
		if (counters == null) {
			// a replica that lags behind may have answered
			counters = queryCounters(lock);
		}
		if (counters == null) {
			throw new KeySpaceRegressionException("The row of key space '" + this.keySpace + "' has vanished from "
					+ this.database.tables().keySpace() + ". " + RecoveryInstructions.createAgain(""));
		}
		return new SlotView(counters.next(), counters.capacity(), counters.fenced(), counters.fence(),
				readSlots(condition), this.now);
	}

	private @Nullable SlotView queryCounters(String lock) throws SQLException {
		return SqlStatements
			.queryOne(this.connection, this.timeout, this::readCounters,
					"select next_slot, capacity, fenced_slot, fenced_end, fenced_until" + fence().columns() + " from "
							+ this.database.tables().keySpace() + " where name = ?" + lock,
					this.keySpace)
			.orElse(null);
	}

	private SlotView readCounters(ResultSet row) throws SQLException {
		long next = row.getLong(1);
		return new SlotView(next, row.getLong(2), new Fenced(row.getLong(3), row.getLong(4), row.getLong(5)),
				fence().state(row, 6, next), List.of(), this.now);
	}

	private List<SlotState> readSlots(Sql condition) throws SQLException {
		Sql query = new Sql("select " + COLUMNS + " from " + table() + " where key_space = ?", this.keySpace)
			.append(condition);
		return SqlStatements.query(this.connection, this.timeout, JdbcSlotAccess::slot, query.text(), query.values());
	}

	private static SlotState slot(ResultSet row) throws SQLException {
		return new SlotState(new Slot(row.getLong(1), row.getLong(2), row.getLong(3)), row.getString(4),
				row.getString(5), row.getLong(6), row.getLong(7));
	}

	private String table() {
		return this.database.tables().slot();
	}

	/**
	 * Replace the slot. A change of owner does not wait for a transaction that has locked
	 * the row: this method returns {@code false} instead. If the database cannot skip
	 * locked rows, the update waits.
	 */
	@Override
	public boolean replace(SlotState before, SlotState after) throws SQLException {
		String skipLocked = this.database.dialect().skipLockedClause();
		boolean changesOwner = after.owner() != null && !after.owner().equals(before.owner());
		if (changesOwner && !skipLocked.isEmpty()
				&& readSlots(new Sql(" and slot = ?" + skipLocked, before.slot().number())).isEmpty()) {
			return false;
		}
		return update(after, before.slot(), before.token(), new Sql(" and lease_until = ?", before.leaseUntil())
			.append(new Sql(fence().andKeySpaceOfThisServer())));
	}

	@Override
	public Optional<Moved> move(Slot slot, SlotOwner owner, long position, boolean release) throws SQLException {
		Slot newSlot = slot.at(position);
		// read the confirmed token before a new token is generated, because the row must
		// still have the confirmed one
		String token = owner.confirmedToken(slot.number());
		SlotState after = release ? SlotState.released(newSlot, owner, this.now)
				: SlotState.owned(newSlot, owner, this.now);
		return update(after, slot, token,
				new Sql(" and owner = ?", owner.id()).append(new Sql(fence().andKeySpaceOfThisServer())))
						? Optional.of(new Moved(after, this.now)) : Optional.empty();
	}

	private boolean update(SlotState after, Slot before, @Nullable String token, Sql condition) throws SQLException {
		Sql update = new Sql(
				"update " + table() + " set next_position = ?, owner = ?, token = ?, leased_at = ?, lease_until = ?"
						+ " where key_space = ? and slot = ? and next_position = ?",
				after.slot().position(), after.owner(), after.token(), after.leasedAt(), after.leaseUntil(),
				this.keySpace, before.number(), before.position())
			.append(unchanged("token", token))
			.append(condition);
		return run(update) == 1;
	}

	@Override
	public boolean insert(SlotState state) throws SQLException {
		// lock the row of the key space, so that transactions that create slots wait for
		// each other. Ignore the row count, because some drivers do not count rows that
		// an update leaves unchanged
		run(new Sql("update " + this.database.tables().keySpace() + " set next_slot = next_slot where name = ?",
				this.keySpace));
		long number = state.slot().number();
		if (!readSlots(new Sql(" and slot = ?" + this.database.dialect().currentReadClause(), number)).isEmpty()) {
			return false;
		}
		insertRow(state);
		return true;
	}

	private void insertRow(SlotState row) throws SQLException {
		try {
			run(new Sql("insert into " + table() + " (key_space, " + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?)",
					this.keySpace, row.slot().number(), row.slot().position(), row.slot().end(), row.owner(),
					row.token(), row.leasedAt(), row.leaseUntil()));
		}
		catch (SQLException ex) {
			if (ex.getSQLState() != null && ex.getSQLState().startsWith(CONSTRAINT_VIOLATION)) {
				// the row exists, but this transaction's snapshot is older than the row
				throw new NotYetException("another instance has created slot " + row.slot().number(),
						NotYetException.SOON);
			}
			throw ex;
		}
	}

	@Override
	public Optional<SlotState> create(SlotView view, SlotSpace space, SlotOwner owner) throws SQLException {
		Update nextNumber = (space.horizon() == null)
				? fence().sql().nextSeries(this.keySpace, space.count(), fence().rules().unitsPerSeries())
				: fence().sql().nextNode(this.keySpace, space.count());
		while (true) {
			OptionalLong advanced = CounterUpdate.advance(this.connection, this.timeout, this.database.dialect(), "",
					this.database.tables().keySpace(), "next_slot", nextNumber);
			if (advanced.isEmpty()) {
				return Optional.empty();
			}
			long number = advanced.getAsLong() - 1;
			// another instance may have claimed this number explicitly
			if (readSlots(new Sql(" and slot = ?", number)).isEmpty()) {
				SlotState created = SlotState.created(number, space, owner, this.now);
				insertRow(created);
				return Optional.of(created);
			}
		}
	}

	long countOwned() throws SQLException {
		return SqlStatements
			.queryOne(this.connection, this.timeout, (row) -> row.getLong(1),
					"select count(*) from " + table()
							+ " where key_space = ? and lease_until >= ? and lease_until < ? and owner <> ?",
					this.keySpace, this.now, SlotState.NEVER, SlotState.FAIL_OVER)
			.orElse(0L);
	}

	@Override
	public boolean takeOver(SlotView view, SlotTakeOver change) throws SQLException {
		if (!takeOver(view.fence(), change.line(), "next_slot")) {
			return false;
		}
		if (view.fence().hasFailedOver()) {
			run(new Sql(
					"update " + this.database.tables().keySpace()
							+ " set fenced_slot = ?, fenced_end = ?, fenced_until = ? where name = ?",
					change.fenced().first(), change.fenced().end(), change.fenced().until(), this.keySpace));
		}
		replaceAll(change.replacements());
		return true;
	}

	@Override
	public boolean skip(long numbers, List<Replacement> replacements) throws SQLException {
		run(new Sql("update " + this.database.tables().keySpace() + " set next_slot = next_slot + ? where name = ?",
				numbers, this.keySpace));
		replaceAll(replacements);
		return true;
	}

	/**
	 * Replace the given slots. Fail if any of them has changed since it was read, so that
	 * the transaction replaces none of them.
	 */
	private void replaceAll(List<Replacement> replacements) throws SQLException {
		for (int from = 0; from < replacements.size(); from += CHUNK_SIZE) {
			List<Replacement> chunk = replacements.subList(from, Math.min(replacements.size(), from + CHUNK_SIZE));
			Sql update = new Sql("update " + table() + " set ")
				.append(assignment("next_position", chunk, (after) -> after.slot().position()))
				.append(assignment(", owner", chunk, SlotState::owner))
				.append(assignment(", token", chunk, SlotState::token))
				.append(assignment(", lease_until", chunk, SlotState::leaseUntil))
				.append(new Sql(" where key_space = ? and (", this.keySpace))
				.append(unchangedCondition(chunk))
				.append(new Sql(")"));
			if (run(update) != chunk.size()) {
				throw new SQLException("another instance has changed a slot", CounterUpdate.SERIALIZATION_FAILURE);
			}
		}
	}

	private static Sql assignment(String column, List<Replacement> chunk, Function<SlotState, @Nullable Object> value) {
		Stream<Sql> cases = chunk.stream()
			.map((replacement) -> new Sql(" when slot = ? then ?", replacement.after().slot().number(),
					value.apply(replacement.after())));
		String name = column.replace(", ", "");
		return cases.reduce(new Sql(column + " = case"), Sql::append).append(new Sql(" else " + name + " end"));
	}

	private static Sql unchangedCondition(List<Replacement> chunk) {
		return chunk.stream()
			.map(Replacement::before)
			.map((before) -> new Sql("slot = ? and next_position = ? and lease_until = ?", before.slot().number(),
					before.slot().position(), before.leaseUntil())
				.append(unchanged("token", before.token()))
				.append(unchanged("owner", before.owner())))
			.reduce((one, other) -> one.append(new Sql(" or ")).append(other))
			.orElseThrow();
	}

	/**
	 * Return an SQL condition, preceded by {@code and}, that is true if the column still
	 * has the value. Null is not compared as an empty string, because some databases
	 * treat empty strings as null.
	 */
	private static Sql unchanged(String column, @Nullable String value) {
		return (value != null) ? new Sql(" and " + column + " = ?", value) : new Sql(" and " + column + " is null");
	}

}
