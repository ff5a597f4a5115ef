package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.jdbc.FailoverFence.Move;
import dev.idspring.jdbc.FailoverFence.FenceResult;
import dev.idspring.jdbc.FailoverFence.Seen;
import dev.idspring.jdbc.JdbcTransactions.NotYetException;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.Slot;
import dev.idspring.store.SlotListing;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotSpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoredSlot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Keeps slots in a table, one row each:
 *
 * <pre class="code">
 * key_space      the name of the key space  } primary
 * slot           the number of the slot     } key
 * next_position  up to where it is reserved, exclusive
 * end_position   where it ends, exclusive
 * owner          who owns it, null if it has no owner
 * token          what the attempt wrote that changed it last, null if a fail-over did
 * leased_at      when the owner was last heard of, or the slot was left
 * lease_until    when it may be taken over; 0 when it was left, 2^63 - 1 when it is used up
 * </pre>
 *
 * Times are the database's, in milliseconds since 1970.
 * <p>
 * Why no position is used twice:
 * <ol>
 * <li>A slot is moved by one update that compares owner, position and token, and writes a
 * new token: the row's lock makes comparing and setting one step. The caller learns of it
 * after the commit was acknowledged.</li>
 * <li>If no row was changed, the row is read in the same transaction. When it has the
 * token of an earlier attempt of ours, that attempt succeeded after all. No clone of this
 * process writes that token ({@link SlotOwner}).</li>
 * <li>A slot is taken over by one update that compares position, lease and token with
 * what was read, so of several who want it one gets it, and it gets it where it
 * stands.</li>
 * <li>A new number is taken from {@code next_slot} of the key space by one statement, as
 * ordinals are, in the transaction that inserts the row.</li>
 * </ol>
 * The {@link FailoverFence} stands before every change but a skip.
 * <p>
 * Nobody waits for long: who wants an abandoned slot passes over rows that others have
 * locked, where the database can do that, and locks rows by their key only.
 * <p>
 * Must be called on threads that are in no transaction of their own.
 *
 * @since 0.1.0
 */
public final class JdbcSlotStore implements SlotStore {

	private static final long NEVER = Long.MAX_VALUE;

	/** The class of SQLStates of a row that exists already. */
	private static final String CONSTRAINT_VIOLATION = "23";

	private static final String COLUMNS = "slot, next_position, end_position, owner, token, leased_at,"
			+ " lease_until";

	private final JdbcDatabase database;

	private final LongUnaryOperator clock;

	/**
	 * Create a store.
	 * @param database where the table is
	 */
	public JdbcSlotStore(JdbcDatabase database) {
		this(database, LongUnaryOperator.identity());
	}

	/**
	 * Create a store that believes the database's clock to show something else.
	 */
	JdbcSlotStore(JdbcDatabase database, LongUnaryOperator clock) {
		this.database = database;
		this.clock = clock;
	}

	@Override
	public Instant time(Deadline deadline) {
		return read("read the time", (transaction) -> Instant.ofEpochMilli(transaction.now()), deadline);
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		String what = "claim a slot of key space '" + keySpace + "'";
		while (true) {
			Claim claim = repeat(what, (transaction) -> claim(transaction, keySpace, space, owner), deadline);
			if (claim.notYet == null) {
				return claim.orRefused(keySpace).map(owner::learn);
			}
			// a take-over before is committed
			this.database.transactions().await(what, claim.notYet, deadline);
		}
	}

	private Claim claim(Transaction transaction, String keySpace, SlotSpace space, SlotOwner owner)
			throws SQLException {
		pass(transaction, keySpace, space, owner);
		Optional<StoredSlot> claimed = claimOwn(transaction, keySpace, owner);
		if (claimed.isEmpty()) {
			claimed = adopt(transaction, keySpace, space, owner);
		}
		if (claimed.isPresent()) {
			return Claim.of(claimed.get());
		}
		long rest = rest(transaction, keySpace, space);
		return (rest > 0) ? Claim.refused(rest) : begin(transaction, keySpace, space, owner);
	}

	private Optional<StoredSlot> claimOwn(Transaction transaction, String keySpace, SlotOwner owner)
			throws SQLException {
		List<Row> own = transaction.query("select " + COLUMNS + " from " + table()
				+ " where key_space = ? and owner = ? and lease_until < " + NEVER + " order by slot", keySpace,
				owner.id());
		for (Row row : own) {
			if (!row.slot().isUsedUp() && owner.owns(row.stored(transaction.now()))) {
				Optional<StoredSlot> claimed = own(transaction, keySpace, row, owner);
				if (claimed.isPresent()) {
					return claimed;
				}
			}
		}
		return Optional.empty();
	}

	private Optional<StoredSlot> adopt(Transaction transaction, String keySpace, SlotSpace space, SlotOwner owner)
			throws SQLException {
		List<Row> candidates = transaction.query(
				"select " + COLUMNS + " from " + table() + " where key_space = ? and lease_until < ? and slot < ?"
						+ " and next_position < end_position and next_position <= ? order by next_position",
				keySpace, transaction.now(), space.count(), space.highestOffered());
		for (Row candidate : candidates) {
			Optional<StoredSlot> claimed = lock(transaction, keySpace, candidate)
					? own(transaction, keySpace, candidate, owner) : Optional.empty();
			if (claimed.isPresent()) {
				return claimed;
			}
		}
		return Optional.empty();
	}

	/**
	 * Lock a row unless somebody else has locked it. Where the database cannot do that,
	 * the update waits instead.
	 */
	private boolean lock(Transaction transaction, String keySpace, Row row) throws SQLException {
		String skipLocked = this.database.dialect().skipLocked();
		return skipLocked.isEmpty() || !transaction
			.query("select " + COLUMNS + " from " + table() + " where key_space = ? and slot = ?" + skipLocked,
					keySpace, row.slot().number())
			.isEmpty();
	}

	/**
	 * Make a slot the owner's, if it still is as it was read.
	 */
	private Optional<StoredSlot> own(Transaction transaction, String keySpace, Row row, SlotOwner owner)
			throws SQLException {
		Row owned = transaction.owned(row.slot(), owner);
		Sql update = new Sql(
				"update " + table() + " set owner = ?, token = ?, leased_at = ?, lease_until = ?"
						+ " where key_space = ? and slot = ? and next_position = ? and lease_until = ?",
				owner.id(), owned.token(), owned.leasedAt(), owned.leaseUntil(), keySpace, row.slot().number(),
				row.slot().position(), row.leaseUntil())
			.and(hasToken(row.token()));
		return (transaction.update(update) == 1) ? Optional.of(owned.stored(transaction.now())) : Optional.empty();
	}

	private static Sql hasToken(@Nullable String token) {
		return (token != null) ? new Sql(" and token = ?", token) : new Sql(" and token is null");
	}

	private Claim begin(Transaction transaction, String keySpace, SlotSpace space, SlotOwner owner)
			throws SQLException {
		while (true) {
			OptionalLong next = moveNumbers(transaction, keySpace, space);
			if (next.isEmpty()) {
				return notBegun(transaction, keySpace, space);
			}
			long number = next.getAsLong() - 1;
			// unless another instance has asked for it by its number
			if (row(transaction, keySpace, number).isEmpty()) {
				return Claim.of(insert(transaction, keySpace, number, space, owner));
			}
		}
	}

	private Claim notBegun(Transaction transaction, String keySpace, SlotSpace space) throws SQLException {
		Fenced fenced = fenced(transaction, keySpace);
		if (fenced.next() >= space.count()) {
			return new Claim(Optional.empty(), 0, null);
		}
		try {
			if (!fence().followClock(transaction.connection(), transaction.timeout(), keySpace, fenced.seen())
					&& !fence().raise(transaction.connection(), transaction.timeout(), keySpace, fenced.seen())) {
				fence().verifyAffordable(fenced.seen(), fence().unitsPerSeries());
			}
			return new Claim(Optional.empty(), 0, NotYetException.lostToOthers());
		}
		catch (NotYetException ex) {
			return new Claim(Optional.empty(), 0, ex);
		}
	}

	/**
	 * Take the next number, in one statement. New series are as many as the fence allows;
	 * nodes need no limit, since their positions are times.
	 */
	private OptionalLong moveNumbers(Transaction transaction, String keySpace, SlotSpace space) throws SQLException {
		boolean limited = space.horizon() == null;
		long units = fence().unitsPerSeries();
		Sql where = new Sql("name = ? and next_slot < ?", keySpace, space.count())
			.and(limited ? fence().affordable(units) : new Sql(fence().andSameServer()));
		return MovedRow.move(transaction.connection(), transaction.timeout(), this.database.dialect(),
				this.database.tables().keySpace(), "next_slot", 1, limited ? fence().paid(units) : Sql.NONE, where);
	}

	private StoredSlot insert(Transaction transaction, String keySpace, long number, SlotSpace space, SlotOwner owner)
			throws SQLException {
		Slot slot = new Slot(number, space.start(number), space.end(number));
		Row owned = transaction.owned(slot, owner);
		try {
			transaction.update(
					"insert into " + table() + " (key_space, " + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?)",
					keySpace, number, slot.position(), slot.end(), owner.id(), owned.token(), owned.leasedAt(),
					owned.leaseUntil());
		}
		catch (SQLException ex) {
			if (ex.getSQLState() != null && ex.getSQLState().startsWith(CONSTRAINT_VIOLATION)) {
				// it was not there in this transaction's view, which may be an old one
				throw new NotYetException("another instance has begun slot " + number, NotYetException.SOON);
			}
			throw ex;
		}
		return owned.stored(transaction.now());
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		return repeat("claim slot " + number + " of key space '" + keySpace + "'", (transaction) -> {
			pass(transaction, keySpace, space, owner);
			long rest = rest(transaction, keySpace, space);
			Optional<Row> known = row(transaction, keySpace, number);
			if (known.isEmpty()) {
				// whoever begins a slot holds this lock
				transaction.lockNumbers(this.database.tables().keySpace(), keySpace);
				known = rowNow(transaction, keySpace, number);
			}
			if (known.isEmpty()) {
				return (rest > 0) ? Claim.refused(rest) : Claim.of(insert(transaction, keySpace, number, space, owner));
			}
			Row row = known.get();
			if (row.isFree(owner, transaction.now())) {
				Optional<StoredSlot> claimed = own(transaction, keySpace, row, owner);
				if (claimed.isPresent()) {
					return Claim.of(claimed.get());
				}
			}
			Row taken = row(transaction, keySpace, number).orElseThrow(() -> vanished(keySpace, number));
			// one may rest longer than the others
			long left = taken.leaseUntil() + 1 - transaction.now();
			return (space.horizon() != null && left > 0 && FailoverFence.NOBODY.equals(taken.owner()))
					? Claim.refused(Math.max(rest, left)) : Claim.of(taken.stored(transaction.now()));
		}, deadline).orRefused(keySpace).map(owner::learn).orElseThrow();
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		return owner.learn(repeat("reserve from slot " + slot.number() + " of key space '" + keySpace + "'",
				(transaction) -> move(transaction, keySpace, space, slot, owner, position), deadline));
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		return owner.learn(repeat("renew the lease of slot " + slot.number() + " of key space '" + keySpace + "'",
				(transaction) -> move(transaction, keySpace, space, slot, owner, slot.position()), deadline));
	}

	private StoredSlot move(Transaction transaction, String keySpace, SlotSpace space, Slot slot, SlotOwner owner,
			long position) throws SQLException {
		Row moved = transaction.owned(slot.at(position), owner);
		Sql update = new Sql(
				"update " + table() + " set next_position = ?, token = ?, leased_at = ?, lease_until = ?"
						+ " where key_space = ? and slot = ? and owner = ? and next_position = ?"
						+ fence().andSameServerOfKeySpace(),
				position, moved.token(), moved.leasedAt(), moved.leaseUntil(), keySpace, slot.number(), owner.id(),
				slot.position())
			.and(hasToken(owner.known(slot.number())));
		if (transaction.update(update) == 1) {
			return moved.stored(transaction.now());
		}
		if (pass(transaction, keySpace, space, owner)) {
			return move(transaction, keySpace, space, slot, owner, position);
		}
		transaction.verifyExists(this.database.tables().keySpace(), keySpace);
		Optional<Row> row = row(transaction, keySpace, slot.number());
		if (row.isEmpty() && isSkipped(transaction, keySpace, slot.number())) {
			return skipped(transaction, slot);
		}
		return row.orElseThrow(() -> vanished(keySpace, slot.number())).stored(transaction.now());
	}

	/**
	 * Let the slots of a key space be used on this server.
	 * @return whether anything was changed
	 */
	private boolean pass(Transaction transaction, String keySpace, SlotSpace space, SlotOwner owner)
			throws SQLException {
		Move move = new Move(transaction.now(), space, owner.lease());
		FenceResult passage = fence().moveSlots(transaction.connection(), transaction.timeout(), keySpace, move);
		if (passage == FenceResult.TAKEN_OVER) {
			transaction.afterwards(() -> FailoverFence.logSlots(keySpace, move));
		}
		return passage != FenceResult.SAME_SERVER;
	}

	/**
	 * Return for how many milliseconds nodes still rest: somebody may have begun, or
	 * taken over, any of them on the server that is gone.
	 */
	private long rest(Transaction transaction, String keySpace, SlotSpace space) throws SQLException {
		if (space.horizon() == null) {
			return 0;
		}
		long until = fenced(transaction, keySpace).until();
		return Math.max(0, until + 1 - transaction.now());
	}

	/**
	 * Return whether nothing is known of a slot because it was begun on a server from
	 * which another one has taken over. Of series these are the numbers that were passed
	 * over; of nodes, none of which is begun before they have rested, all.
	 */
	private boolean isSkipped(Transaction transaction, String keySpace, long number) throws SQLException {
		return fence().isOn() && fenced(transaction, keySpace).skips(number, transaction.now());
	}

	/**
	 * Return a slot of which nobody can have the rest.
	 */
	private static StoredSlot skipped(Transaction transaction, Slot slot) {
		return new Row(slot.at(slot.end()), null, null, transaction.now(), NEVER).stored(transaction.now());
	}

	private Fenced fenced(Transaction transaction, String keySpace) throws SQLException {
		return JdbcDatabase
			.queryOne(transaction.connection(), transaction.timeout(), this::fenced,
					"select next_slot, fenced_slot, fenced_end, fenced_until" + fence().columns() + " from "
							+ this.database.tables().keySpace() + " where name = ?",
					keySpace)
			.orElseThrow(() -> Transaction.vanished(this.database.tables().keySpace(), keySpace));
	}

	private Fenced fenced(ResultSet row) throws SQLException {
		return new Fenced(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4),
				fence().seen(row, 5, row.getLong(1)));
	}

	private FailoverFence fence() {
		return this.database.fence();
	}

	private KeySpaceRegressionException vanished(String keySpace, long number) {
		return new KeySpaceRegressionException(
				"The row of slot " + number + " of key space '" + keySpace + "' has vanished from " + table() + ".");
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		return repeat("leave slot " + slot.number() + " of key space '" + keySpace + "'",
				(transaction) -> transaction.update(new Sql(
						"update " + table()
								+ " set next_position = ?, owner = null, token = ?, leased_at = ?, lease_until = 0"
								+ " where key_space = ? and slot = ? and owner = ? and next_position = ?"
								+ fence().andSameServerOfKeySpace(),
						position, owner.attempt(slot.number()), transaction.now(), keySpace, slot.number(), owner.id(),
						slot.position())
					.and(hasToken(owner.known(slot.number())))) == 1,
				deadline);
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		return read("read slot " + number + " of key space '" + keySpace + "'",
				(transaction) -> read(transaction, keySpace, number), deadline);
	}

	/**
	 * Read a slot as it will be when the key space is first used on this server.
	 */
	private Optional<StoredSlot> read(Transaction transaction, String keySpace, long number) throws SQLException {
		Optional<Row> row = row(transaction, keySpace, number);
		if (row.isEmpty()) {
			return isSkipped(transaction, keySpace, number)
					? Optional.of(skipped(transaction, new Slot(number, 0, Long.MAX_VALUE))) : Optional.empty();
		}
		Seen seen = fence().isOn() ? fenced(transaction, keySpace).seen() : Seen.NOTHING;
		return row.map((found) -> found.at(fence().slot(found.slot(), seen)).stored(transaction.now()));
	}

	private Optional<Row> row(Transaction transaction, String keySpace, long number) throws SQLException {
		return row(transaction, keySpace, number, "");
	}

	/**
	 * Read a row in a change, whatever the transaction has read before.
	 */
	private Optional<Row> rowNow(Transaction transaction, String keySpace, long number) throws SQLException {
		return row(transaction, keySpace, number, this.database.dialect().forUpdate());
	}

	private Optional<Row> row(Transaction transaction, String keySpace, long number, String lock) throws SQLException {
		return transaction
			.query("select " + COLUMNS + " from " + table() + " where key_space = ? and slot = ?" + lock, keySpace,
					number)
			.stream()
			.findFirst();
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		return read("read the slots of key space '" + keySpace + "'", (transaction) -> {
			// numbers first: a slot that is begun in between is then seen as untouched
			long next = transaction.nextSlot(this.database.tables().keySpace(), keySpace);
			List<StoredSlot> slots = transaction
				.query("select " + COLUMNS + " from " + table() + " where key_space = ? and lease_until < " + NEVER
						+ " and next_position < end_position order by slot", keySpace)
				.stream()
				.map((row) -> row.stored(transaction.now()))
				.toList();
			return new SlotListing(next, slots);
		}, deadline);
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		this.database.transactions().once("skip ahead in key space '" + keySpace + "'", (connection, timeout) -> {
			JdbcDatabase.update(connection, timeout,
					"update " + this.database.tables().keySpace() + " set next_slot = next_slot + ? where name = ?",
					slots, keySpace);
			JdbcDatabase.update(connection, timeout,
					"update " + table() + " set " + FailoverFence.MOVE_POSITION
							+ ", owner = null, token = null, lease_until = 0 where key_space = ?",
					positions, positions, keySpace);
			return true;
		}, deadline);
	}

	private <T> T repeat(String what, Work<T> work, Deadline deadline) {
		Done<T> done = this.database.transactions()
			.repeat(what, (connection, timeout) -> run(connection, timeout, work), deadline);
		done.committed.forEach(Runnable::run);
		return done.result;
	}

	private <T> T read(String what, Work<T> work, Deadline deadline) {
		return this.database.transactions()
			.read(what, (connection, timeout) -> run(connection, timeout, work).result, deadline);
	}

	private <T> Done<T> run(Connection connection, int timeout, Work<T> work) throws SQLException {
		long now = this.clock.applyAsLong(this.database.dialect().currentMillis(connection, timeout));
		Transaction transaction = new Transaction(connection, timeout, now, new ArrayList<>());
		return new Done<>(work.run(transaction), transaction.committed());
	}

	private String table() {
		return this.database.tables().slot();
	}

	/**
	 * Something to be done in a transaction.
	 *
	 * @param <T> the type of the result
	 */
	private interface Work<T> {

		T run(Transaction transaction) throws SQLException;

	}

	/**
	 * The result of something, and what is to be done once it is committed.
	 *
	 * @param <T> the type of the result
	 */
	private record Done<T>(T result, List<Runnable> committed) {

	}

	/**
	 * What became of a claim.
	 *
	 * @param slot the slot, if one was available
	 * @param rest for how many milliseconds no instance gets one
	 * @param notYet why to try again, or {@code null}
	 */
	private record Claim(Optional<StoredSlot> slot, long rest, @Nullable NotYetException notYet) {

		static Claim of(StoredSlot slot) {
			return new Claim(Optional.of(slot), 0, null);
		}

		static Claim refused(long rest) {
			return new Claim(Optional.empty(), rest, null);
		}

		Optional<StoredSlot> orRefused(String keySpace) {
			if (this.rest > 0) {
				throw new IdStoreUnavailableException(
						"After a fail-over of the database nobody gets a node of key space '" + keySpace
								+ "' for another " + Duration.ofMillis(this.rest)
								+ ": whatever was made with them before must lie in the past.");
			}
			return this.slot;
		}

	}

	/**
	 * A transaction, and the database's time in it.
	 *
	 * @param committed what is to be done once it is committed
	 */
	private record Transaction(Connection connection, int timeout, long now, List<Runnable> committed) {

		void afterwards(Runnable work) {
			this.committed.add(work);
		}

		int update(String sql, @Nullable Object... values) throws SQLException {
			return JdbcDatabase.update(this.connection, this.timeout, sql, values);
		}

		int update(Sql update) throws SQLException {
			return update(update.text(), update.values());
		}

		List<Row> query(String sql, @Nullable Object... values) throws SQLException {
			return JdbcDatabase.query(this.connection, this.timeout, Row::of, sql, values);
		}

		long nextSlot(String keySpaces, String keySpace) throws SQLException {
			return JdbcDatabase
				.queryOne(this.connection, this.timeout, (row) -> row.getLong(1),
						"select next_slot from " + keySpaces + " where name = ?", keySpace)
				.orElseThrow(() -> vanished(keySpaces, keySpace));
		}

		void lockNumbers(String keySpaces, String keySpace) throws SQLException {
			// some drivers do not count rows that are updated to what they were
			update("update " + keySpaces + " set next_slot = next_slot where name = ?", keySpace);
			verifyExists(keySpaces, keySpace);
		}

		void verifyExists(String keySpaces, String keySpace) throws SQLException {
			nextSlot(keySpaces, keySpace);
		}

		private static KeySpaceRegressionException vanished(String keySpaces, String keySpace) {
			return new KeySpaceRegressionException(
					"The row of key space '" + keySpace + "' has vanished from " + keySpaces + ".");
		}

		/**
		 * Return a row as the next attempt of an owner writes it.
		 */
		Row owned(Slot slot, SlotOwner owner) {
			long leaseUntil = slot.isUsedUp() ? NEVER : this.now + owner.lease().toMillis();
			return new Row(slot, owner.id(), owner.attempt(slot.number()), this.now, leaseUntil);
		}

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

	/**
	 * A row of the table.
	 */
	private record Row(Slot slot, @Nullable String owner, @Nullable String token, long leasedAt, long leaseUntil) {

		static Row of(ResultSet row) throws SQLException {
			return new Row(new Slot(row.getLong(1), row.getLong(2), row.getLong(3)), row.getString(4), row.getString(5),
					row.getLong(6), row.getLong(7));
		}

		Row at(Slot slot) {
			return new Row(slot, this.owner, this.token, this.leasedAt, this.leaseUntil);
		}

		boolean isFree(SlotOwner owner, long now) {
			return !this.slot.isUsedUp() && (owner.owns(stored(now)) || this.leaseUntil < now);
		}

		StoredSlot stored(long now) {
			// nobody has used what the fence moved to its end
			boolean skipped = this.slot.isUsedUp() && FailoverFence.NOBODY.equals(this.owner);
			return new StoredSlot(this.slot, skipped ? null : this.owner, this.token,
					Instant.ofEpochMilli(this.leasedAt), Instant.ofEpochMilli(this.leaseUntil),
					Instant.ofEpochMilli(now));
		}

	}

}
