package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

import dev.idspring.DurationText;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.JdbcTransactions.NotYetException;
import dev.idspring.store.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.StoreArguments;
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
 * leased_at      when the owner last renewed it, or the slot was left
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
 * what was read. So one of several instances gets it, at its current position.</li>
 * <li>A new number is taken from {@code next_slot} of the key space by one statement, as
 * ordinals are, in the transaction that inserts the row.</li>
 * </ol>
 * Every change but a skip passes the {@link FailoverFence} first.
 * <p>
 * No transaction waits for long: one that wants an abandoned slot passes over rows that
 * others have locked, where the database can do that, and locks rows by their key only.
 * <p>
 * Must be called on threads that are in no transaction of their own.
 *
 * @since 0.1.0
 */
public final class JdbcSlotStore implements SlotStore {

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
	 * Create a store for which the database's clock shows something else.
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
		return read("read the time", "", (transaction) -> Instant.ofEpochMilli(transaction.now()), deadline);
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		StoreArguments.claim(keySpace, space, owner, deadline);
		String what = "claim a slot of key space '" + keySpace + "'";
		while (true) {
			Claim claim = repeat(what, keySpace, (transaction) -> claim(transaction, space, owner), deadline);
			if (claim.notYet == null) {
				return claim.orRefused(keySpace).map(owner::learn);
			}
			// a take-over before is committed
			this.database.transactions().await(what, claim.notYet, deadline);
		}
	}

	private static Claim claim(SlotTransaction transaction, SlotSpace space, SlotOwner owner) throws SQLException {
		transaction.pass(space, owner);
		Optional<StoredSlot> claimed = claimOwn(transaction, owner);
		if (claimed.isEmpty()) {
			claimed = adopt(transaction, space, owner);
		}
		if (claimed.isPresent()) {
			return Claim.of(claimed.get());
		}
		long rest = transaction.rest(space);
		return (rest > 0) ? Claim.refused(rest) : begin(transaction, space, owner);
	}

	private static Optional<StoredSlot> claimOwn(SlotTransaction transaction, SlotOwner owner) throws SQLException {
		for (SlotRow row : transaction.rows(" and owner = ? and lease_until < " + SlotRow.NEVER + " order by slot",
				owner.id())) {
			boolean own = !row.slot().isUsedUp() && owner.owns(row.stored(transaction.now()));
			Optional<StoredSlot> claimed = own ? transaction.own(row, owner) : Optional.empty();
			if (claimed.isPresent()) {
				return claimed;
			}
		}
		return Optional.empty();
	}

	private static Optional<StoredSlot> adopt(SlotTransaction transaction, SlotSpace space, SlotOwner owner)
			throws SQLException {
		List<SlotRow> candidates = transaction.rows(
				" and lease_until < ? and slot < ?"
						+ " and next_position < end_position and next_position <= ? order by next_position",
				transaction.now(), space.count(), space.highestOffered());
		for (SlotRow candidate : candidates) {
			Optional<StoredSlot> claimed = transaction.lock(candidate) ? transaction.own(candidate, owner)
					: Optional.empty();
			if (claimed.isPresent()) {
				return claimed;
			}
		}
		return Optional.empty();
	}

	private static Claim begin(SlotTransaction transaction, SlotSpace space, SlotOwner owner) throws SQLException {
		while (true) {
			OptionalLong next = transaction.moveNumbers(space);
			if (next.isEmpty()) {
				return new Claim(Optional.empty(), 0, transaction.failureReason(space).orElse(null));
			}
			long number = next.getAsLong() - 1;
			// unless another instance has asked for it by its number
			if (transaction.row(number).isEmpty()) {
				return Claim.of(transaction.insert(number, space, owner));
			}
		}
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		StoreArguments.claim(keySpace, number, space, owner, deadline);
		return repeat("claim slot " + number + " of key space '" + keySpace + "'", keySpace,
				(transaction) -> claim(transaction, number, space, owner), deadline)
			.orRefused(keySpace)
			.map(owner::learn)
			.orElseThrow();
	}

	private static Claim claim(SlotTransaction transaction, long number, SlotSpace space, SlotOwner owner)
			throws SQLException {
		transaction.pass(space, owner);
		long rest = transaction.rest(space);
		Optional<SlotRow> known = transaction.row(number);
		if (known.isEmpty()) {
			// a transaction that begins a slot holds this lock
			transaction.lockNumbers();
			known = transaction.rowNow(number);
		}
		if (known.isEmpty()) {
			return (rest > 0) ? Claim.refused(rest) : Claim.of(transaction.insert(number, space, owner));
		}
		SlotRow row = known.get();
		Optional<StoredSlot> claimed = row.isFree(owner, transaction.now()) ? transaction.own(row, owner)
				: Optional.empty();
		if (claimed.isPresent()) {
			return Claim.of(claimed.get());
		}
		SlotRow taken = transaction.row(number).orElseThrow(() -> transaction.vanished(number));
		// one may rest longer than the others
		long left = taken.leaseUntil() + 1 - transaction.now();
		return (space.horizon() != null && left > 0 && taken.isResting()) ? Claim.refused(Math.max(rest, left))
				: Claim.of(taken.stored(transaction.now()));
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		StoreArguments.advance(keySpace, space, slot, owner, position, deadline);
		return owner.learn(repeat("reserve from slot " + slot.number() + " of key space '" + keySpace + "'", keySpace,
				(transaction) -> move(transaction, space, slot, owner, position), deadline));
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		StoreArguments.renew(keySpace, space, slot, owner, deadline);
		return owner.learn(repeat("renew the lease of slot " + slot.number() + " of key space '" + keySpace + "'",
				keySpace, (transaction) -> move(transaction, space, slot, owner, slot.position()), deadline));
	}

	private static StoredSlot move(SlotTransaction transaction, SlotSpace space, Slot slot, SlotOwner owner,
			long position) throws SQLException {
		Optional<StoredSlot> moved = transaction.move(slot, owner, position);
		if (moved.isPresent()) {
			return moved.get();
		}
		if (transaction.pass(space, owner)) {
			return move(transaction, space, slot, owner, position);
		}
		transaction.nextNumber();
		Optional<SlotRow> row = transaction.row(slot.number());
		return (row.isPresent() ? Optional.of(row.get().stored(transaction.now())) : transaction.passedOver(slot))
			.orElseThrow(() -> transaction.vanished(slot.number()));
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		StoreArguments.release(keySpace, slot, owner, position, deadline);
		return repeat("leave slot " + slot.number() + " of key space '" + keySpace + "'", keySpace,
				(transaction) -> transaction.release(slot, owner, position), deadline);
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return read("read slot " + number + " of key space '" + keySpace + "'", keySpace,
				(transaction) -> transaction.read(number), deadline);
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return read("read the slots of key space '" + keySpace + "'", keySpace, (transaction) -> {
			// numbers first: a slot that is begun in between is then seen as untouched
			long next = transaction.nextNumber();
			return new SlotListing(next,
					transaction
						.rows(" and lease_until < " + SlotRow.NEVER + " and next_position < end_position order by slot")
						.stream()
						.map((row) -> row.stored(transaction.now()))
						.toList());
		}, deadline);
	}

	@Override
	public long countOwned(String keySpace, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return read("count the owners of slots of key space '" + keySpace + "'", keySpace, SlotTransaction::countOwned,
				deadline);
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		StoreArguments.skip(keySpace, positions, slots, deadline);
		this.database.transactions().once("skip ahead in key space '" + keySpace + "'", (connection, timeout) -> {
			String table = this.database.tables().keySpace();
			int moved = SqlStatements.update(connection, timeout,
					"update " + table + " set next_slot = next_slot + ? where name = ? and next_slot <= ?", slots,
					keySpace, Long.MAX_VALUE - slots);
			if (moved == 0) {
				SqlStatements
					.queryOne(connection, timeout, (row) -> row.getLong(1),
							"select next_slot from " + table + " where name = ?", keySpace)
					.ifPresent((next) -> StoreArguments.skipped(next, slots));
			}
			SqlStatements.update(connection, timeout,
					"update " + this.database.tables().slot() + " set " + SlotFence.MOVE_POSITION
							+ ", owner = null, token = null, lease_until = 0 where key_space = ?",
					positions, positions, keySpace);
			return true;
		}, deadline);
	}

	private <T> T repeat(String what, String keySpace, Work<T> work, Deadline deadline) {
		Done<T> done = this.database.transactions()
			.repeat(what, (connection, timeout) -> run(connection, timeout, keySpace, now(connection, timeout), work),
					deadline);
		done.transaction.committed();
		return done.result;
	}

	private <T> T read(String what, String keySpace, Work<T> work, Deadline deadline) {
		return this.database.transactions()
			.read(what, (connection, timeout) -> run(connection, timeout, keySpace, now(connection, timeout), work),
					deadline).result;
	}

	private long now(Connection connection, int timeout) throws SQLException {
		return this.clock.applyAsLong(this.database.dialect().currentMillis(connection, timeout));
	}

	private <T> Done<T> run(Connection connection, int timeout, String keySpace, long now, Work<T> work)
			throws SQLException {
		SlotTransaction transaction = new SlotTransaction(this.database, connection, timeout, keySpace, now);
		return new Done<>(work.run(transaction), transaction);
	}

	/**
	 * Something to be done in a transaction.
	 *
	 * @param <T> the type of the result
	 */
	private interface Work<T> {

		T run(SlotTransaction transaction) throws SQLException;

	}

	/**
	 * The result of a transaction.
	 *
	 * @param <T> the type of the result
	 */
	private record Done<T>(T result, SlotTransaction transaction) {

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
						"After a fail-over of the database no instance gets a node of key space '" + keySpace
								+ "' for another " + DurationText.rounded(Duration.ofMillis(this.rest))
								+ ": whatever was made with them before must lie in the past.");
			}
			return this.slot;
		}

	}

}
