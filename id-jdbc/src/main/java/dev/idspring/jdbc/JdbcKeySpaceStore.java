package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.jdbc.Bridge.Counter;
import dev.idspring.jdbc.FailoverFence.FenceResult;
import dev.idspring.jdbc.JdbcTransactions.NotYetException;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.jdbc.MovedRow.Update;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.SystemRandom;
import dev.idspring.store.rules.FenceState;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Keeps key spaces in a table, one row each: <pre class="code">
 * name          the name of the key space, primary key
 * definition    what fixes the order of its keys
 * capacity      the highest upper bound any instance has asked for
 * next_ordinal  the first ordinal that is not reserved
 * next_slot     the first slot number that was never used (for strategies with slots)
 * usage_history how far it was when, for the forecast
 * reservation   the token of the last reservation, null once it was given back
 * bridge        the {@link Bridge} that ordinals come from, null for the counter
 * </pre>
 *
 * and the columns of the {@link FailoverFence}, which stands before every reservation.
 *
 * Why no ordinal is reserved twice:
 * <ol>
 * <li>A reservation is one statement that moves the row and returns its new value
 * ({@link ReservationSql}). So it does not matter what the session's isolation or
 * auto-commit is, nor whether something between here and the server sends reads to
 * another one. Its condition names the definition that this instance has verified, so
 * another key space under the same name is not touched.</li>
 * <li>The statement is in a transaction that is committed explicitly. The range is
 * returned after the commit was acknowledged. If that is in doubt, the ordinals are lost,
 * and a repeated attempt reserves later ones.</li>
 * <li>Giving back is a compare-and-set from the end of the range to its start. Its
 * condition names the token of the last reservation of this instance, which the operating
 * system drew for that attempt. So a position that others reserved since, or reserved and
 * gave back, is not taken for one's own, nor by a copy of this process. Nor is it
 * attempted on a server that took over after the range was reserved.</li>
 * <li>With a bridge the ordinals are the source's. One statement moves the row up to
 * their end, on condition that it stood before their beginning. So they overlap with
 * nothing that was reserved before or will be, by a bridge or the counter. The counter
 * moves only when there is no bridge, as old instances take what is above it.</li>
 * <li>The commit is on disk when it is acknowledged, as far as that can be brought about
 * from here; where it cannot, {@link #describe()} warns.</li>
 * </ol>
 * Must be called on threads that are in no transaction of their own, as the connection of
 * such a thread may be bound to it.
 *
 * @since 0.1.0
 */
public final class JdbcKeySpaceStore implements KeySpaceStore {

	/** Far more than anyone needs, and no overflow where it is multiplied. */
	private static final long MOST_AT_ONCE = 1_000_000_000_000L;

	/** Another transaction was faster. */
	private static final String CONFLICT = "40001";

	/** Enough for reading the row, a take-over, and a smaller reservation. */
	private static final int ATTEMPTS_WITHOUT_PAUSE = 4;

	private final JdbcDatabase database;

	private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

	/**
	 * Create a store.
	 * @param database where the table is
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
		Optional<StoredKeySpace> existing = this.database.takeFound(name)
			.filter((row) -> row.bridge() == null)
			.map((row) -> opened(name, row))
			.or(() -> read(name, deadline));
		StoredKeySpace stored = existing.isPresent() ? existing.get() : insert(name, definition, capacity, deadline);
		known(name).definition = stored.definition();
		return stored;
	}

	private StoredKeySpace insert(String name, String definition, long capacity, Deadline deadline) {
		try {
			transactions().repeat("create key space '" + name + "'", (connection, timeout) -> {
				insert(connection, timeout, new StoredKeySpace(name, definition, capacity, 0), null);
				return true;
			}, deadline);
		}
		catch (IdStoreUnavailableException ex) {
			// another instance may have been a moment faster, or a failed attempt may
			// have
			// succeeded after all
			return read(name, deadline).orElseThrow(() -> ex);
		}
		return new StoredKeySpace(name, definition, capacity, 0);
	}

	private void insert(Connection connection, int timeout, StoredKeySpace keySpace, @Nullable Bridge bridge)
			throws SQLException {
		SqlStatements.update(connection, timeout,
				"insert into " + table()
						+ " (name, definition, capacity, next_ordinal, next_slot, usage_history, bridge, incarnation,"
						+ " line_time, line_rate, line_raised_rate, line_raised_at, line_held_until)"
						+ " values (?, ?, ?, ?, 0, ?, ?, " + fence().current("null") + ", " + fence().firstLine() + ")",
				keySpace.name(), keySpace.definition(), keySpace.capacity(), keySpace.nextOrdinal(),
				UsageHistory.empty().text(), (bridge != null) ? bridge.text() : null);
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		StoreArguments.raiseCapacity(name, capacity, deadline);
		transactions().repeat("raise the capacity of key space '" + name + "'",
				(connection, timeout) -> SqlStatements.update(connection, timeout,
						"update " + table() + " set capacity = ? where name = ? and capacity < ?", capacity, name,
						capacity),
				deadline);
	}

	@Override
	public StoredKeySpace redefine(String name, String known, String replacement, long most, Deadline deadline) {
		StoreArguments.redefine(name, known, replacement, most, deadline);
		long bound = read(name, deadline).map(StoredKeySpace::capacity).orElse(0L);
		try {
			if (most < Long.MAX_VALUE) {
				// the fence comes first
				reserve(name, 1, bound, deadline);
			}
		}
		catch (KeySpaceMismatchException ex) {
			if (read(name, deadline).filter((stored) -> stored.definition().equals(replacement)).isEmpty()) {
				throw ex;
			}
		}
		String server = known(name).incarnation;
		Sql update = KeySpaceRow.redefinition(table(), name, known, replacement)
			.and(new Sql(" and next_ordinal <= ?" + transactions().andSessionIsReady(), most))
			.and((fence().isOn() && server != null) ? new Sql(fence().andSameServer() + " and incarnation = ?", server)
					: Sql.NONE);
		transactions().repeat("add a secret to key space '" + name + "'",
				(connection, timeout) -> SqlStatements.update(connection, timeout, update.text(), update.values()),
				deadline);
		StoredKeySpace stored = read(name, deadline).orElseThrow();
		known(name).definition = stored.definition();
		return stored;
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		StoreArguments.reserve(name, count, bound, deadline);
		Known known = known(name);
		String what = "reserve ids of key space '" + name + "'";
		long wanted = fence().isOn() ? Math.min(count, MOST_AT_ONCE) : count;
		for (int attempts = 1;; attempts++) {
			long asked = wanted;
			Attempt attempt = transactions().move(what,
					(connection, timeout) -> attempt(connection, timeout, known, name, asked, bound), deadline);
			if (attempt.range != null) {
				Last before = known.last.get();
				known.confirmed(attempt);
				verifyNothingLost(known, before, name, attempt.range, attempt.server);
				raiseIfWorthwhile(known, name, attempt.range.size(), deadline);
				return attempt.range;
			}
			if (attempt.takenOver != null) {
				fence().logCounter(name, attempt.takenOver.seen(), end(attempt.takenOver, bound));
			}
			wanted = attempt.wanted;
			if (attempts > ATTEMPTS_WITHOUT_PAUSE) {
				transactions().await(what, NotYetException.lostToOthers(), deadline);
			}
		}
	}

	/**
	 * Find out, once the server has confirmed a reservation, whether it lacks what this
	 * instance has seen on another one. A replica that lags behind confirms none.
	 */
	private static void verifyNothingLost(Known known, @Nullable Last before, String name, OrdinalRange range,
			@Nullable String server) {
		FenceState lost = known.lost;
		if (lost == null) {
			return;
		}
		known.lost = null;
		// what was reserved there after the last look counts as well
		long position = (before != null && Objects.equals(before.server, lost.writer()))
				? Math.max(before.range.end(), lost.line().position()) : lost.line().position();
		long missing = position - range.start();
		String message = FailoverFence.logLoss(name, lost, server,
				RecoveryInstructions.skipAhead(name, (missing > 0) ? missing : RecoveryInstructions.UNKNOWN));
		if (missing > 0) {
			throw new KeySpaceRegressionException(message);
		}
	}

	/**
	 * Reserve in one statement. If that changed nothing, remove the obstacle and leave
	 * the reservation to the next attempt.
	 */
	private Attempt attempt(Connection connection, int timeout, Known known, String name, long wanted, long bound)
			throws SQLException {
		String server = known.incarnation;
		String token = SystemRandom.text();
		String definition = known.definition;
		boolean readFirst = known.bridged || bound < wanted || (fence().isOn() && server == null);
		OptionalLong end = (definition == null || readFirst) ? OptionalLong.empty() : MovedRow.move(connection, timeout,
				this.database.dialect(), transactions().prelude(), table(), "next_ordinal",
				fence().sql().reserve(name, definition, server, token, wanted, bound, transactions().sessionIsReady()));
		if (end.isPresent()) {
			return Attempt.reserved(new OrdinalRange(end.getAsLong() - wanted, end.getAsLong()), server, token);
		}
		KeySpaceRow row = row(connection, timeout, name);
		if (!row.sessionIsReady()) {
			throw transactions().sessionWasNotReady();
		}
		if (definition == null) {
			known.definition = row.keySpace().definition();
		}
		row.keySpace().verifyDefinition(definition);
		known.look(row, fence());
		FenceResult passage = fence().moveCounter(connection, timeout, name, row.seen(), end(row, bound));
		if (passage != FenceResult.SAME_SERVER) {
			return Attempt.again(wanted, (passage == FenceResult.TAKEN_OVER) ? row : null);
		}
		long next = row.keySpace().nextOrdinal();
		if (next >= bound) {
			return Attempt.reserved(new OrdinalRange(next, next), null, null);
		}
		long left = Math.min(wanted, bound - next);
		if (fence().followClock(connection, timeout, name, row.seen())
				|| fence().raise(connection, timeout, name, row.seen())) {
			return Attempt.again(left, null);
		}
		// less if others are faster
		long affordable = fence().affordable(row.seen(), left);
		Bridge bridge = row.bridge();
		return (bridge != null) ? cross(bridge, connection, timeout, known, row,
				Math.min(Math.min(left, affordable), MOST_AT_ONCE), bound, affordable)
				: Attempt.again(Math.min(left, affordable), null);
	}

	/**
	 * Return the end of the ordinals, of which a take-over skips a share: not the bound
	 * of the instance that happens to carry it out, which may be far lower than the
	 * others'.
	 */
	private static long end(KeySpaceRow row, long bound) {
		return Math.max(bound, row.keySpace().capacity());
	}

	/**
	 * Reserve what a bridge gives.
	 * @param row locked, so that others draw afterwards
	 * @param affordable what may be paid for numbers that are passed over, which count
	 * for a fail-over like others
	 */
	private Attempt cross(Bridge bridge, Connection connection, int timeout, Known known, KeySpaceRow row, long wanted,
			long bound, long affordable) throws SQLException {
		String name = row.keySpace().name();
		long next = row.keySpace().nextOrdinal();
		OrdinalRange drawn = bridge.draw(connection, timeout, this.database.dialect(), next, wanted);
		long end = Math.min(bound, Math.min(drawn.end(), drawn.start() + wanted));
		OrdinalRange range = new OrdinalRange(Math.min(drawn.start(), end), end);
		long paid = Math.max(range.size(), Math.min(end - next, affordable));
		String token = SystemRandom.text();
		Update update = fence().sql()
			.reserveDrawn(name, row.keySpace().definition(), row.seen().server(), token, range.start(), range.end(),
					paid, transactions().sessionIsReady());
		return (update.run(connection, timeout) == 1) ? Attempt.reserved(range, known.incarnation, token)
				: Attempt.again(wanted, null);
	}

	/**
	 * Raise the rate before it is exhausted, so that others need not wait. Looks only
	 * after this instance alone has reserved a good part of what the rate allows.
	 */
	private void raiseIfWorthwhile(Known known, String name, long count, Deadline deadline) {
		long look = fence().refreshAfter(known.rate);
		if (!fence().isOn() || known.reserved.addAndGet(count) < look) {
			return;
		}
		known.reserved.set(0);
		try {
			transactions().once("raise the rate of key space '" + name + "'", (connection, timeout) -> {
				KeySpaceRow row = row(connection, timeout, name);
				known.rate = row.seen().line().raised();
				return !row.seen().isOtherServer() && fence().raise(connection, timeout, name, row.seen());
			}, deadline);
		}
		catch (IdGenerationException ex) {
			// the ordinals are reserved; the next reservation asks again
		}
	}

	@Override
	public OrdinalRange skip(String name, long count, long bound, Deadline deadline) {
		StoreArguments.reserve(name, count, bound, deadline);
		bridge(name, deadline).ifPresent((bridge) -> {
			throw new IdSetupException("Key space '" + name + "' draws from " + bridge + ".",
					"Set that ahead, for old and new instances alike.");
		});
		// the fence comes first
		OrdinalRange first = reserve(name, 1, bound, deadline);
		if (first.isEmpty()) {
			return first;
		}
		return transactions().repeat("skip ahead in key space '" + name + "'", (connection, timeout) -> {
			long end = first.start() + Math.min(count, bound - first.start());
			SqlStatements.update(connection, timeout,
					"update " + table() + " set next_ordinal = ? where name = ? and next_ordinal < ?", end, name, end);
			return new OrdinalRange(first.start(), end);
		}, deadline);
	}

	/**
	 * Leaves the fence to the slots of the key space: a counter that makes no ids must
	 * not hide from them that another server has taken over.
	 */
	@Override
	public void count(String name, long count, Deadline deadline) {
		StoreArguments.count(name, count, deadline);
		String sql = "update " + table() + " set next_ordinal = next_ordinal + ? where name = ? and next_ordinal <= ?";
		int counted = transactions().repeat("count ids of key space '" + name + "'", (connection,
				timeout) -> SqlStatements.update(connection, timeout, sql, count, name, Long.MAX_VALUE - count),
				deadline);
		if (counted == 0) {
			read(name, deadline).ifPresent((stored) -> StoreArguments.counted(stored.nextOrdinal(), count));
		}
	}

	/**
	 * Read a row to change it, also as the first statement of a transaction.
	 */
	private KeySpaceRow row(Connection connection, int timeout, String name) throws SQLException {
		return select(connection, timeout, name, transactions().prelude(), this.database.dialect().forUpdate())
			.orElseThrow(() -> new KeySpaceRegressionException("The row of key space '" + name + "' has vanished from "
					+ table() + ". Restart the application, which creates the key space. "
					+ RecoveryInstructions.skipAhead(name, RecoveryInstructions.UNKNOWN)));
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		StoreArguments.giveBack(name, range, deadline);
		FailoverFence fence = fence();
		Known known = known(name);
		Last last = known.last.get();
		StoreArguments.givenBack(range, (last != null) ? last.range : null);
		String definition = known.definition;
		if (last == null || definition == null || last.range.end() != range.end()
				|| (fence.isOn() && last.server == null) || !known.last.compareAndSet(last, null)) {
			return false;
		}
		Update update = fence.sql().giveBack(name, definition, last.server, last.token, range.start(), range.end());
		return transactions().once("give back ids of key space '" + name + "'",
				(connection, timeout) -> update.run(connection, timeout) == 1, deadline);
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return transactions().read("read key space '" + name + "'", (connection, timeout) -> {
			Optional<KeySpaceRow> row = select(connection, timeout, name, "", "");
			if (row.isEmpty() || row.get().bridge() == null) {
				return row.map((found) -> opened(name, found));
			}
			long reached = row.get().bridge().reached(connection, timeout, this.database.dialect());
			StoredKeySpace stored = opened(name, row.get());
			return Optional.of(new StoredKeySpace(name, stored.definition(), stored.capacity(),
					Math.max(stored.nextOrdinal(), Math.min(reached, stored.capacity()))));
		}, deadline);
	}

	/**
	 * Create a key space whose ordinals come from what has numbered a table so far, until
	 * {@link #endBridge the bridge is ended}. A key space of that name that was never
	 * used is replaced.
	 * @param keySpace the key space, with the ordinal to begin at
	 * @param bridge where ordinals come from, {@code null} to begin at once with the
	 * counter
	 * @param deadline how long this may take
	 * @return whether it was created, {@code false} if a key space of that name is in use
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public boolean adopt(StoredKeySpace keySpace, @Nullable Bridge bridge, Deadline deadline) {
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "keySpace", keySpace);
		StoreArguments.create(keySpace.name(), keySpace.definition(), keySpace.capacity(), deadline);
		Optional<StoredKeySpace> existing = read(keySpace.name(), deadline);
		return transactions().once("create key space '" + keySpace.name() + "'", (connection, timeout) -> {
			if (existing.isPresent()) {
				Sql update = KeySpaceRow.replacement(this.database.tables(), existing.get(), keySpace, bridge)
					.and(new Sql(transactions().andSessionIsReady()));
				return SqlStatements.update(connection, timeout, update.text(), update.values()) == 1;
			}
			insert(connection, timeout, keySpace, bridge);
			return true;
		}, deadline);
	}

	/**
	 * Return whether a key space has issued no id and has no bridge.
	 * @param name the name of the key space
	 * @param deadline how long this may take
	 * @return {@code true} if it can be {@link #adopt replaced}, also if there is none
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public boolean isUnused(String name, Deadline deadline) {
		return row(name, deadline)
			.map((row) -> row.keySpace().nextOrdinal() == 0 && !row.hasSlots() && row.bridge() == null)
			.orElse(true);
	}

	/**
	 * Return the statement that removes a key space, for an operator who knows that none
	 * of its ids is in use.
	 * @param name the name of the key space
	 * @return SQL, with the name of the table as it is configured
	 */
	public String removal(String name) {
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "name", name);
		return "delete from " + table() + " where name = '" + name.replace("'", "''") + "';";
	}

	private Optional<KeySpaceRow> row(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return transactions().read("read key space '" + name + "'",
				(connection, timeout) -> select(connection, timeout, name, "", ""), deadline);
	}

	/**
	 * Read how far the numbers of a source have come.
	 * @param bridge the bridge to the source
	 * @param deadline how long this may take
	 * @return the first ordinal that no instance has used, by whatever it got from the
	 * source
	 * @throws IdStoreUnavailableException if the source cannot be read
	 */
	public long reached(Bridge bridge, Deadline deadline) {
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "bridge", bridge);
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "deadline", deadline);
		return transactions().read("read " + bridge,
				(connection, timeout) -> bridge.reached(connection, timeout, this.database.dialect()), deadline);
	}

	/**
	 * Read the bridge of a key space.
	 * @param name the name of the key space
	 * @param deadline how long this may take
	 * @return the bridge, empty if there is none
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public Optional<Bridge> bridge(String name, Deadline deadline) {
		return row(name, deadline).map(KeySpaceRow::bridge);
	}

	/**
	 * Return which key spaces draw from the source of a bridge.
	 * @param bridge the bridge
	 * @param deadline how long this may take
	 * @return their names
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public List<String> bridged(Bridge bridge, Deadline deadline) {
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "bridge", bridge);
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "deadline", deadline);
		return transactions()
			.read("read the bridges",
					(connection, timeout) -> SqlStatements.query(connection, timeout,
							(row) -> Bridge.parse(row.getString(2)).shares(bridge) ? row.getString(1) : "",
							"select name, bridge from " + table() + " where bridge is not null order by name"),
					deadline)
			.stream()
			.filter((name) -> !name.isEmpty())
			.toList();
	}

	/**
	 * Return the value at which the counter of a bridge is left by {@link #endBridge}.
	 * @param bridge a bridge to a counter
	 * @param deadline how long this may take
	 * @return the value, empty for a sequence
	 * @throws IdSetupException if the table of the counter takes no change back
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public OptionalLong closedAt(Bridge bridge, Deadline deadline) {
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "bridge", bridge);
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "deadline", deadline);
		Counter counter = bridge.counter();
		return (counter == null) ? OptionalLong.empty() : OptionalLong.of(transactions().read("read " + bridge,
				(connection, timeout) -> bridge.closedAt(connection, timeout, counter), deadline));
	}

	/**
	 * Find out whether the database keeps the counter of a bridge from passing the value
	 * at which it is left. Tries it, and takes it back.
	 * @param bridge a bridge to a counter
	 * @param deadline how long this may take
	 * @return whether the next draw fails there, {@code false} for a sequence
	 * @throws IdSetupException if the table of the counter takes no change back
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public boolean isLimited(Bridge bridge, Deadline deadline) {
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "bridge", bridge);
		InvalidSettingException.requireGiven(JdbcKeySpaceStore.class, "deadline", deadline);
		Counter counter = bridge.counter();
		return counter != null && transactions().repeat("try " + bridge,
				(connection, timeout) -> bridge.isLimited(connection, timeout, counter), deadline);
	}

	/**
	 * End the bridge of a key space: from now on its ordinals come from its counter,
	 * which continues above all that the bridge has given. An instance that still takes
	 * numbers from the source takes the same ones.
	 * @param name the name of the key space
	 * @param close whether to leave a counter in a row, in the same transaction, at the
	 * value that it cannot pass, so that such an instance fails
	 * @param deadline how long this may take
	 * @return the first ordinal that the counter will give, empty if there is no bridge
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public OptionalLong endBridge(String name, boolean close, Deadline deadline) {
		StoreArguments.read(name, deadline);
		return transactions().repeat("end the bridge of key space '" + name + "'", (connection, timeout) -> {
			KeySpaceRow row = row(connection, timeout, name);
			Bridge bridge = row.bridge();
			if (bridge == null) {
				return OptionalLong.empty();
			}
			Dialect dialect = this.database.dialect();
			long drawn = bridge.draw(connection, timeout, dialect, row.keySpace().nextOrdinal(), 1).end();
			// a pooled session may have cached values of long ago
			long end = Math.max(drawn, bridge.reached(connection, timeout, dialect));
			Sql update = new Sql("update " + table() + " set next_ordinal = ?, reservation = null, bridge = null"
					+ " where name = ? and next_ordinal <= ?", end, name, end);
			if (SqlStatements.update(connection, timeout, update.text(), update.values()) == 0) {
				throw new SQLException("the key space was used meanwhile", CONFLICT);
			}
			Counter counter = bridge.counter();
			if (close && counter != null) {
				bridge.close(connection, timeout, counter);
			}
			return OptionalLong.of(end);
		}, deadline);
	}

	private StoredKeySpace opened(String name, KeySpaceRow row) {
		known(name).look(row, fence());
		StoredKeySpace stored = row.keySpace();
		// where there are slots the counter makes no ids: it only counts them
		return (row.hasSlots() || !row.seen().isOtherServer()) ? stored : new StoredKeySpace(stored.name(),
				stored.definition(), stored.capacity(), fence().counter(row.seen(), stored.capacity()));
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
		transactions().once("note the history of key space '" + name + "'", (connection, timeout) -> SqlStatements
			.update(connection, timeout, sql, replacement.text(), name, known.text()), deadline);
	}

	private Optional<KeySpaceRow> select(Connection connection, int timeout, String name, String prelude, String lock)
			throws SQLException {
		FailoverFence fence = fence();
		return SqlStatements.queryAfter(prelude, connection, timeout, (row) -> KeySpaceRow.read(row, 1, fence),
				"select " + KeySpaceRow.columns(this.database.tables(), transactions().sessionIsReady(), fence)
						+ " from " + table() + " where name = ?" + lock,
				name)
			.stream()
			.findFirst();
	}

	private Known known(String name) {
		return this.known.computeIfAbsent(name, (key) -> new Known());
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

	/**
	 * What this instance knows of a key space.
	 */
	private static final class Known {

		/** As it was when the key space was opened. */
		private volatile @Nullable String definition;

		/** The server that is in charge, as far as is known. */
		private volatile @Nullable String incarnation;

		/** What the server seems to lack, until it has confirmed a reservation. */
		private volatile @Nullable FenceState lost;

		/** The last range that was confirmed, until it is given back. */
		private final AtomicReference<@Nullable Last> last = new AtomicReference<>();

		/** Whether ordinals come from a bridge, as far as is known. */
		private volatile boolean bridged;

		/** The rate as it was last seen. */
		private volatile long rate;

		/** How many ordinals were reserved since the rate was last looked at. */
		private final AtomicLong reserved = new AtomicLong();

		void confirmed(Attempt attempt) {
			OrdinalRange range = attempt.range;
			String token = attempt.token;
			if (range != null && token != null) {
				this.last.updateAndGet((before) -> Last.of(before, range, attempt.server, token));
			}
		}

		void look(KeySpaceRow row, FailoverFence fence) {
			FenceState seen = row.seen();
			FenceState lost = fence.lost(row.keySpace().name(), seen);
			if (lost != null) {
				this.lost = lost;
			}
			else if (this.lost != null && Objects.equals(this.lost.writer(), seen.writer())) {
				this.lost = null;
			}
			this.bridged = row.bridge() != null;
			// only the server that is in charge can confirm anything
			this.incarnation = seen.isOtherServer() ? null : seen.server();
			this.rate = seen.line().raised();
		}

	}

	/**
	 * The last range that was confirmed.
	 *
	 * @param range the range, and what was reserved before it without a gap
	 * @param server the server that it was confirmed on
	 * @param token what the row remembers the reservation by
	 */
	private record Last(OrdinalRange range, @Nullable String server, String token) {

		/**
		 * Return the later of two reservations: another thread may have been faster.
		 */
		static Last of(@Nullable Last before, OrdinalRange range, @Nullable String server, String token) {
			return (before != null && before.range.end() > range.end()) ? before
					: new Last(range.after((before != null) ? before.range : null), server, token);
		}

	}

	/**
	 * What became of an attempt to reserve.
	 *
	 * @param range what is reserved once the transaction is committed, or {@code null}
	 * @param wanted how many ordinals to ask for next, if there is no range
	 * @param takenOver the row before this attempt moved the counter, as another server
	 * had taken over
	 * @param server the server that the range was reserved on
	 * @param token what the row remembers the reservation by
	 */
	private record Attempt(@Nullable OrdinalRange range, long wanted, @Nullable KeySpaceRow takenOver,
			@Nullable String server, @Nullable String token) {

		static Attempt reserved(OrdinalRange range, @Nullable String server, @Nullable String token) {
			return new Attempt(range, 0, null, server, token);
		}

		static Attempt again(long wanted, @Nullable KeySpaceRow takenOver) {
			return new Attempt(null, wanted, takenOver, null, null);
		}

	}

}
