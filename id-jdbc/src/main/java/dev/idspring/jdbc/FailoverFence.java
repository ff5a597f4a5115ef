package dev.idspring.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;

import dev.idspring.jdbc.JdbcTransactions.NotYetException;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.Slot;
import dev.idspring.store.SlotSpace;
import dev.idspring.store.SlotSpace.Horizon;
import org.jspecify.annotations.Nullable;

/**
 * Moves a key space ahead when another server has taken over, which may not have received
 * what the one before had confirmed. The row of the key space remembers the incarnation
 * of the server that wrote it last, and the state of its {@link FenceLine}:
 *
 * <pre class="code">
 * incarnation      the server, as the dialect tells servers apart; null before the first contact
 * fenced_slot      what next_slot was when slots were last moved
 * fenced_end       what next_slot was afterwards
 * fenced_until     when the rest of nodes ends that follows
 * line_time        up to when reservations have used the rate, in microseconds since 1970
 * line_rate        how many ids a second may be reserved before line_raised_at
 * line_raised_rate how many from then on
 * line_raised_at   when the raised rate is in force
 * line_held_until  until when idle time does not lower the line
 * </pre>
 *
 * Why a server hands out nothing that another one has confirmed, under the conditions
 * that {@link FenceLine} states:
 * <ol>
 * <li>Every update that reserves has two conditions: the row's incarnation is that of the
 * server which carries the update out, and the line allows it by the clock of that
 * server. The server itself evaluates both in the same statement, so neither pools,
 * proxies nor a connection that outlives a promotion can be wrong about them. A standby
 * has no incarnation.</li>
 * <li>A take-over is one update that moves the row along the line and stores the new
 * incarnation, under the condition that the row has the old one. So one of several
 * instances carries it out. The slots are moved in the same transaction.</li>
 * <li>Nothing is given back on a server that it was not reserved on. A read before the
 * take-over predicts where the counter will be, so that nothing takes a fail-over for a
 * restored backup.</li>
 * <li>A counter moves beyond its bound if need be, as a raise of the bound may be lost,
 * but by no more than a share of what is left. Then a warning says so, and the promise
 * ends there.</li>
 * <li>A series that is begun is passed over to its end, within the same share, so no
 * order of fail-overs leads back into it. Its owner loses it and begins another. The
 * numbers of new series are a counter with a line of its own.</li>
 * <li>The position of a node is time, and no node is reserved beyond the horizon: now, by
 * the clock that is furthest ahead, plus what may be borrowed, plus a lease. All nodes
 * move there, except those that are used up and those of a database. An owner whose lease
 * is running keeps its node, as no other instance could adopt it: its token is removed,
 * since that of its last attempt may be lost. The others rest until the clock that is
 * furthest behind has passed the horizon, and none is begun until then: so whatever was
 * adopted or begun on the old server lies in the past.</li>
 * <li>Leases may differ. How long an owner's is its row tells,
 * {@code lease_until - leased_at}: too much after a fail-over, never too little. The
 * horizon is by the longest that is running. A lease that has run out counts for the row
 * it stands in. A further fail-over ends no rest and no lease earlier.</li>
 * </ol>
 * Gapless numbers belong to the transactions that drew them and were lost with them, so
 * they never move. Nor does a counter that only counts ids.
 */
final class FailoverFence {

	static final long DEFAULT_MARGIN = 1_000_000;

	static final Duration DEFAULT_LAG = Duration.ofSeconds(5);

	/**
	 * Moves a position ahead, but not beyond the end. Takes the distance, twice.
	 */
	static final String MOVE_POSITION = "next_position = case when next_position < end_position - ?"
			+ " then next_position + ? else end_position end";

	/** Owns what rests. */
	static final String NOBODY = "fail-over";

	/** What of the rate a new series uses. */
	private static final long UNITS_PER_SERIES = 1_000;

	/**
	 * What share of the keys that are left may be lost in series that are passed over.
	 */
	private static final long SHARE = 64;

	/** Moves a time, but never back. Takes the time, twice. */
	private static final String NOT_EARLIER = "%1$s = case when %1$s > ? then %1$s else ? end";

	private static final String UNTIL = "fenced_until";

	/** The slots of a key space that have an owner and are not used up. */
	private static final String OF_OWNERS = " where key_space = ? and next_position < end_position"
			+ " and owner is not null and owner <> '" + NOBODY + "'";

	/** Worth another try: the promotion may be under way. */
	private static final String READ_ONLY = "25006";

	/** Another transaction was faster. */
	private static final String CONFLICT = "40001";

	private static final Logger logger = System.getLogger(FailoverFence.class.getName());

	private final TableNames tables;

	private final Dialect dialect;

	private final @Nullable String incarnation;

	private final long margin;

	private final long lag;

	/**
	 * Create a fence.
	 * @param tables where the key spaces are
	 * @param dialect the database
	 * @param incarnation an SQL expression that tells servers apart, or {@code null} if
	 * there is none
	 * @param margin how many ordinals may be reserved at once, 0 for no fence
	 * @param lag what a server that takes over may lack
	 */
	FailoverFence(TableNames tables, Dialect dialect, @Nullable String incarnation, long margin, Duration lag) {
		this.tables = tables;
		this.dialect = dialect;
		this.incarnation = (margin > 0) ? incarnation : null;
		this.margin = margin;
		this.lag = lag.toNanos() / 1_000;
	}

	boolean isOn() {
		return this.incarnation != null;
	}

	/**
	 * Return the incarnation of the server as an expression of SQL.
	 * @param otherwise what to return if it does not matter
	 */
	String current(String otherwise) {
		return (this.incarnation != null) ? this.incarnation : otherwise;
	}

	/**
	 * Return what to add to the condition of an update of a key space.
	 */
	String andSameServer() {
		return isOn() ? " and incarnation = " + this.incarnation : "";
	}

	/**
	 * Return what to add to the condition of an update of a slot: the key space must
	 * exist, on this server.
	 */
	String andSameServerOfKeySpace() {
		return " and exists (select 1 from " + this.tables.keySpace() + " spaces where spaces.name = key_space"
				+ (isOn() ? " and spaces.incarnation = " + this.incarnation : "") + ")";
	}

	/**
	 * Return what a reservation sets beside the counter.
	 */
	Sql paid(long count) {
		return isOn() ? new Sql("line_time = " + paidUntil(), micros(count)) : Sql.NONE;
	}

	/**
	 * Return what to add to the condition of a reservation.
	 */
	Sql affordable(long count) {
		return isOn() ? new Sql(
				andSameServer() + " and " + paidUntil() + " <= " + clock() + " + " + FenceLine.burst(this.lag),
				micros(count)) : Sql.NONE;
	}

	/**
	 * Return what giving back sets beside the counter: {@link FenceLine#giveBack} in SQL.
	 */
	Sql refunded(long count) {
		return isOn()
				? new Sql(", line_time = line_time - " + this.dialect.divided("?", "line_raised_rate"), micros(count))
				: Sql.NONE;
	}

	/**
	 * {@link FenceLine#reserve} in SQL. Takes the count in micros, which is rounded up.
	 */
	private String paidUntil() {
		return "case when " + clock() + " > line_held_until and " + clock() + " > line_time then " + clock()
				+ " else line_time end + " + this.dialect.divided("(? - 1)", rate()) + " + 1";
	}

	private String rate() {
		return "(case when " + clock() + " >= line_raised_at then line_raised_rate else line_rate end)";
	}

	private String clock() {
		return this.dialect.clockMicros();
	}

	private static long micros(long count) {
		return Math.multiplyExact(count, FenceLine.SECOND);
	}

	/**
	 * Return the columns that {@link #seen} reads, to be added to others.
	 */
	String columns() {
		return isOn() ? ", incarnation, " + this.incarnation
				+ ", line_time, line_rate, line_raised_rate, line_raised_at, line_held_until, " + clock() : "";
	}

	/**
	 * Read what tells whether another server has taken over.
	 * @param first the first of the columns
	 * @param position where the counter stands
	 * @throws SQLException if the server is a standby, which may lack a lot that is still
	 * to come
	 */
	Seen seen(ResultSet row, int first, long position) throws SQLException {
		if (!isOn()) {
			return Seen.NOTHING;
		}
		String ofRow = row.getString(first);
		String ofServer = row.getString(first + 1);
		if (ofServer == null) {
			throw new SQLException("the server is a standby that has not been promoted yet", READ_ONLY);
		}
		FenceLine line = new FenceLine(position, row.getLong(first + 2), row.getLong(first + 3), row.getLong(first + 4),
				row.getLong(first + 5), row.getLong(first + 6));
		return new Seen(ofRow, ofServer, line, row.getLong(first + 7));
	}

	/**
	 * Return where a counter will be when the key space is first used on this server.
	 * @param capacity the end of the ordinals, as far as is known
	 */
	long counter(Seen seen, long capacity) {
		return seen.differ() ? seen.line.takeOver(seen.clock, this.lag, capacity - seen.line.position()).position()
				: seen.line.position();
	}

	/**
	 * Let a counter be used on this server: store the server when it is the first, move
	 * ahead when it is another.
	 * @param bound the end of the ordinals, as far as is known
	 */
	FenceResult moveCounter(Connection connection, int timeout, String keySpace, Seen seen, long bound)
			throws SQLException {
		if (seen.isFirstContact()) {
			begin(connection, timeout, keySpace, seen, "next_ordinal");
			return FenceResult.FIRST_CONTACT;
		}
		if (!seen.differ()) {
			return FenceResult.SAME_SERVER;
		}
		long left = bound - seen.line.position();
		set(connection, timeout, keySpace, seen, seen.line.takeOver(seen.clock, this.lag, left), "next_ordinal");
		return FenceResult.TAKEN_OVER;
	}

	/**
	 * Log that a counter was moved, once that is committed.
	 */
	void logCounter(String keySpace, Seen seen, long bound) {
		long left = bound - seen.line.position();
		long distance = counter(seen, bound) - seen.line.position();
		logger.log(Level.WARNING, "Another server has taken over the tables of ids: key space '" + keySpace
				+ "' skipped " + distance + " ids, and reserves none for "
				+ Duration.ofNanos(this.lag * 1_000).toMillis() + " ms (failover lag)"
				+ (seen.line.isCapped(seen.clock, this.lag, left)
						? ". The rule asks for more, but no more than 1/64 of what is left may be skipped: ids that the"
								+ " earlier server confirmed may repeat. Lower the failover margin or enlarge the key"
								+ " space"
						: ""));
	}

	/**
	 * Return how many ordinals may be reserved at once.
	 * @param count how many are wanted
	 * @return at least 1
	 * @throws NotYetException if so few may be reserved that it is worth waiting
	 */
	long affordable(Seen seen, long count) throws NotYetException {
		if (!isOn()) {
			return count;
		}
		// a tenth of a second's worth, or the next ones would be asked for one by one
		verifyAffordable(seen, Math.min(count, Math.max(1, seen.line.rateAt(seen.clock) / 10)));
		return seen.line.affordable(seen.clock, this.lag);
	}

	/**
	 * Make sure that as many ordinals may be reserved.
	 */
	void verifyAffordable(Seen seen, long count) throws NotYetException {
		long wait = isOn() ? seen.line.wait(count, seen.clock, this.lag) : 0;
		if (wait > 0) {
			boolean resting = seen.line.holdUntil() - FenceLine.HOLD + this.lag >= seen.clock;
			throw new NotYetException(
					resting ? "the database has failed over to another server, and no id is reserved for failover-lag"
							: "all instances together have reserved as many ids as failover-margin allows",
					Duration.ofNanos(wait * 1_000));
		}
	}

	/**
	 * Bring the line back to the clock of the server if that was set back, or is behind
	 * that of the server before: nothing would be reserved for as long.
	 * @return whether that was so
	 */
	boolean followClock(Connection connection, int timeout, String keySpace, Seen seen) throws SQLException {
		long time = seen.clock + FenceLine.burst(this.lag);
		long raiseAt = seen.clock + this.lag;
		long holdUntil = seen.clock + FenceLine.HOLD;
		FenceLine line = seen.line;
		if (!isOn() || Math.max(line.time() - time,
				Math.max(line.raiseAt() - raiseAt, line.holdUntil() - holdUntil)) <= 2 * this.lag) {
			return false;
		}
		logger.log(Level.WARNING, "The clock of the database is behind the reservations of key space '" + keySpace
				+ "': it was set back. Reservations go on; a fail-over within the next hour may skip too few ids");
		return JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace()
						+ " set line_time = ?, line_raised_at = ?, line_held_until = ? where name = ? and line_time = ?"
						+ andSameServer(),
				Math.min(line.time(), time), Math.min(line.raiseAt(), raiseAt), Math.min(line.holdUntil(), holdUntil),
				keySpace, line.time()) == 1;
	}

	/**
	 * Raise the rate if reservations have used much of it, or if it is lower than the
	 * margin says, as that was raised.
	 * @return whether it was raised
	 */
	boolean raise(Connection connection, int timeout, String keySpace, Seen seen) throws SQLException {
		if (!isOn()) {
			return false;
		}
		long configured = unused(0, 0).rate();
		boolean lower = seen.line.raised() < configured && seen.line.mayRaise(seen.clock);
		if (!lower && !seen.line.isRaiseDue(seen.clock, this.lag)) {
			return false;
		}
		FenceLine raised = seen.line.raise(seen.clock, this.lag);
		return JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace()
						+ " set line_rate = ?, line_raised_rate = ?, line_raised_at = ? where name = ?"
						+ " and line_raised_rate = ? and line_raised_at = ?" + andSameServer(),
				raised.rate(), lower ? configured : raised.raised(), raised.raiseAt(), keySpace, seen.line.raised(),
				seen.line.raiseAt()) == 1;
	}

	/**
	 * Return after how many reserved ordinals it is worth to look whether a raise is due.
	 * @param rate the rate as far as is known
	 */
	long worthALook(long rate) {
		return Math.max(this.margin, rate * (FenceLine.burst(this.lag) / 1_000) / 1_000) / 8;
	}

	/**
	 * Return the line of an unused counter, as margin and lag say.
	 */
	private FenceLine unused(long position, long clock) {
		return FenceLine.first(position, this.margin, this.lag, clock);
	}

	/**
	 * Return the state of an unused line, for a row that is inserted: values of the
	 * columns from {@code line_time} on, as SQL.
	 */
	String firstLine() {
		if (!isOn()) {
			return "null, null, null, null, null";
		}
		FenceLine first = unused(0, 0);
		return clock() + ", " + first.rate() + ", " + first.raised() + ", 0, 0";
	}

	/**
	 * Let slots be used on this server: store the server when it is the first, move ahead
	 * when it is another.
	 */
	FenceResult moveSlots(Connection connection, int timeout, String keySpace, Move move) throws SQLException {
		if (!isOn()) {
			return FenceResult.SAME_SERVER;
		}
		Seen seen = JdbcDatabase
			.queryOne(connection, timeout, (row) -> seen(row, 2, row.getLong(1)), "select next_slot" + columns()
					+ " from " + this.tables.keySpace() + " where name = ?" + this.dialect.forUpdate(), keySpace)
			.orElse(Seen.NOTHING);
		if (seen.isFirstContact()) {
			begin(connection, timeout, keySpace, seen, "next_slot");
			return FenceResult.FIRST_CONTACT;
		}
		if (!seen.differ()) {
			return FenceResult.SAME_SERVER;
		}
		Horizon horizon = move.space.horizon();
		FenceLine moved = (horizon != null) ? seen.line : movedNumbers(seen, move);
		set(connection, timeout, keySpace, seen, moved, "next_slot");
		JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace() + " set fenced_slot = ?, fenced_end = ?, "
						+ NOT_EARLIER.formatted(UNTIL) + " where name = ?",
				seen.line.position(), moved.position(), move.restUntil(), move.restUntil(), keySpace);
		if (horizon != null) {
			moveNodes(connection, timeout, keySpace, move, horizon.position());
		}
		else {
			moveSeries(connection, timeout, keySpace, move, moved.position());
		}
		return FenceResult.TAKEN_OVER;
	}

	/**
	 * Count series as units of the line, of which each uses many.
	 */
	private FenceLine movedNumbers(Seen seen, Move move) {
		long left = Math.max(0, move.space.count() - seen.line.position());
		FenceLine units = new FenceLine(0, seen.line.time(), seen.line.rate(), seen.line.raised(), seen.line.raiseAt(),
				seen.line.holdUntil())
			.takeOver(seen.clock, this.lag, Math.min(left, Long.MAX_VALUE / unitsPerSeries()) * unitsPerSeries());
		long skipped = Math.min(left, (units.position() - 1) / unitsPerSeries() + 1);
		return new FenceLine(seen.line.position() + skipped, units.time(), units.rate(), units.raised(),
				units.raiseAt(), units.holdUntil());
	}

	/**
	 * Return how many units of the line a new series uses: never more than it allows.
	 */
	long unitsPerSeries() {
		long bucket = unused(0, 0).affordable(0, this.lag);
		return Math.max(1, Math.min(UNITS_PER_SERIES, bucket));
	}

	/**
	 * Log that slots were moved, once that is committed.
	 */
	static void logSlots(String keySpace, Move move) {
		logger.log(Level.WARNING, "Another server has taken over the tables of ids: the slots of key space '" + keySpace
				+ "' have moved ahead, and those without an owner rest for at least " + move.rest().toSeconds() + " s");
	}

	private void begin(Connection connection, int timeout, String keySpace, Seen seen, String counter)
			throws SQLException {
		set(connection, timeout, keySpace, seen, unused(seen.line.position(), seen.clock), counter);
	}

	/**
	 * Store this server and the state of the line, if no other instance has.
	 */
	private void set(Connection connection, int timeout, String keySpace, Seen seen, FenceLine line, String counter)
			throws SQLException {
		String before = (seen.ofRow != null) ? "incarnation = ?" : "coalesce(incarnation, '') = ?";
		int updated = JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace() + " set " + counter
						+ " = ?, line_time = ?, line_rate = ?, line_raised_rate = ?, line_raised_at = ?,"
						+ " line_held_until = ?, incarnation = " + this.incarnation + " where name = ? and " + counter
						+ " = ? and " + before + " and " + this.incarnation + " = ?",
				line.position(), line.time(), line.rate(), line.raised(), line.raiseAt(), line.holdUntil(), keySpace,
				seen.line.position(), (seen.ofRow != null) ? seen.ofRow : "", seen.ofServer);
		if (updated == 0) {
			throw new SQLException("another instance has carried out the fail-over", CONFLICT);
		}
	}

	private void moveSeries(Connection connection, int timeout, String keySpace, Move move, long next)
			throws SQLException {
		long begun = JdbcDatabase.queryOne(connection, timeout, (row) -> row.getLong(1),
				"select count(*) from " + this.tables.slot() + " where key_space = ? and next_position < end_position",
				keySpace)
			.orElse(0L);
		long left = (next < move.space.count()) ? move.space.end(move.space.count() - 1) - move.space.start(next) : 0;
		long most = Math.max(this.margin, left / SHARE / Math.max(1, begun));
		JdbcDatabase.update(connection, timeout,
				"update " + this.tables.slot() + " set " + MOVE_POSITION + ", owner = '" + NOBODY
						+ "', lease_until = ? where key_space = ? and next_position < end_position",
				most, most, move.restUntil(), keySpace);
	}

	private void moveNodes(Connection connection, int timeout, String keySpace, Move move, long horizon)
			throws SQLException {
		long lease = move.lease.toMillis();
		long longest = Math.max(lease, longestRunning(connection, timeout, keySpace, move.now));
		long reached = horizon - lease + longest;
		long restUntil = move.restUntil() - lease + longest;
		if (longest > lease) {
			JdbcDatabase.update(connection, timeout,
					"update " + this.tables.keySpace() + " set " + NOT_EARLIER.formatted(UNTIL) + " where name = ?",
					restUntil, restUntil, keySpace);
		}
		JdbcDatabase.update(connection, timeout,
				"update " + this.tables.slot()
						+ " set next_position = case when next_position < lease_until - leased_at + ?"
						+ " then lease_until - leased_at + ? else next_position end,"
						+ " lease_until = lease_until - leased_at + ?, owner = '" + NOBODY + "'" + OF_OWNERS
						+ " and lease_until < ? and lease_until - leased_at > ?",
				horizon - lease, horizon - lease, move.restUntil() - lease, keySpace, move.now, longest);
		// the owner first: some databases see what was set before in the same statement
		JdbcDatabase.update(connection, timeout, "update " + this.tables.slot()
				+ " set next_position = case when next_position < ? then ? else next_position end, token = null, owner = case"
				+ " when owner is not null and lease_until >= ? then owner else '" + NOBODY + "' end, "
				+ NOT_EARLIER.formatted("lease_until") + " where key_space = ? and next_position < end_position",
				reached, reached, move.now, restUntil, restUntil, keySpace);
	}

	private long longestRunning(Connection connection, int timeout, String keySpace, long now) throws SQLException {
		return JdbcDatabase.queryOne(connection, timeout, (row) -> row.getLong(1),
				"select max(lease_until - leased_at) from " + this.tables.slot() + OF_OWNERS + " and lease_until >= ?",
				keySpace, now)
			.orElse(0L);
	}

	/**
	 * Return how a slot will be at least when the key space is first used on this server.
	 */
	Slot slot(Slot slot, Seen seen) {
		if (!seen.differ() || slot.end() == Long.MAX_VALUE) {
			return slot;
		}
		return slot.at((slot.position() < slot.end() - this.margin) ? slot.position() + this.margin : slot.end());
	}

	/**
	 * What was found, and done, before a key space was used.
	 */
	enum FenceResult {

		/** Nothing was changed. */
		SAME_SERVER,

		/** The server was noted. */
		FIRST_CONTACT,

		/** The key space was moved ahead. */
		TAKEN_OVER

	}

	/**
	 * What a row says, and the server that was asked for it.
	 *
	 * @param ofRow the server that wrote the row last
	 * @param ofServer the server that was asked
	 * @param line the line of the counter
	 * @param clock the clock of the server, in microseconds since 1970
	 */
	record Seen(@Nullable String ofRow, @Nullable String ofServer, FenceLine line, long clock) {

		/** Without a fence. */
		static final Seen NOTHING = new Seen(null, null, new FenceLine(0, 0, 1, 1, 0, 0), 0);

		boolean isFirstContact() {
			return this.ofRow == null && this.ofServer != null;
		}

		/**
		 * Return whether another server has taken over. Before the first contact that
		 * cannot be known.
		 */
		boolean differ() {
			return this.ofRow != null && !this.ofRow.equals(this.ofServer);
		}

	}

	/**
	 * What has to be known to move slots.
	 *
	 * @param now the time of the database
	 * @param space which slots there are
	 * @param lease the lease of whoever came first: how long series rest, and what of the
	 * horizon is a lease
	 */
	record Move(long now, SlotSpace space, Duration lease) {

		Duration rest() {
			Horizon horizon = this.space.horizon();
			return (horizon != null) ? horizon.distance() : this.lease;
		}

		long restUntil() {
			return this.now + rest().toMillis();
		}

	}

}
