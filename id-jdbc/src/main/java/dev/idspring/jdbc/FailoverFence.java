package dev.idspring.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.jdbc.JdbcTransactions.NotYetException;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.SlotRules;
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
 * <li>Slots: see {@link SlotRules}.</li>
 * </ol>
 * Gapless numbers belong to the transactions that drew them and were lost with them, so
 * they never move. Nor does a counter that only counts ids.
 */
final class FailoverFence {

	static final long DEFAULT_MARGIN = 1_000_000;

	static final Duration DEFAULT_LAG = Duration.ofSeconds(5);

	/** Another transaction was faster. */
	static final String CONFLICT = "40001";

	private static final Logger logger = System.getLogger(FailoverFence.class.getName());

	private final TableNames tables;

	private final Dialect dialect;

	private final @Nullable String incarnation;

	private final long margin;

	private final long lag;

	private final ReservationSql sql;

	private final SlotRules slots;

	/** Rows as this instance has seen them last, by the name of the key space. */
	private final ConcurrentMap<String, FenceState> latest = new ConcurrentHashMap<>();

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
		this.sql = new ReservationSql(tables, dialect, this.incarnation, this.lag);
		this.slots = new SlotRules(margin, this.lag);
	}

	/**
	 * Return the statements that reserve, and check and move the fence as they do.
	 */
	ReservationSql sql() {
		return this.sql;
	}

	/**
	 * Return the rules for slots.
	 */
	SlotRules slots() {
		return this.slots;
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
	 * Return what to add to a condition so that it finds key spaces that this server has
	 * written last.
	 */
	String andSameServer() {
		return isOn() ? " and incarnation = " + this.incarnation : "";
	}

	/**
	 * Return what to add to the condition of an update of a slot: the key space must
	 * exist, on this server.
	 */
	Sql andSameServerOfKeySpace() {
		return new Sql(" and exists (select 1 from " + this.tables.keySpace() + " spaces where spaces.name = key_space"
				+ (isOn() ? " and spaces.incarnation = " + this.incarnation : "") + ")");
	}

	/**
	 * Return the columns that {@link #state} reads, to be added to others.
	 */
	String columns() {
		return isOn() ? ", incarnation, " + this.incarnation
				+ ", line_time, line_rate, line_raised_rate, line_raised_at, line_held_until, "
				+ this.dialect.clockMicros() : "";
	}

	/**
	 * Read what tells whether another server has taken over.
	 * @param first the first of the columns
	 * @param position where the counter stands
	 * @throws SQLException if the server is a standby, which may lack a lot that is still
	 * to come
	 */
	FenceState state(ResultSet row, int first, long position) throws SQLException {
		if (!isOn()) {
			return FenceState.NONE;
		}
		String ofRow = row.getString(first);
		String ofServer = row.getString(first + 1);
		if (ofServer == null) {
			throw new SQLException("the server is a standby that has not been promoted yet", Dialect.READ_ONLY);
		}
		FenceLine line = new FenceLine(position, row.getLong(first + 2), row.getLong(first + 3), row.getLong(first + 4),
				row.getLong(first + 5), row.getLong(first + 6));
		return new FenceState(ofRow, ofServer, line, row.getLong(first + 7));
	}

	/**
	 * Return where a counter will be when the key space is first used on this server.
	 * @param capacity the end of the ordinals, as far as is known
	 */
	long counter(FenceState seen, long capacity) {
		return seen.isOtherServer()
				? seen.line().takeOver(seen.clock(), this.lag, capacity - seen.line().position()).position()
				: seen.line().position();
	}

	/**
	 * Let a counter be used on this server: store the server when it is the first, move
	 * ahead when it is another.
	 * @param bound the end of the ordinals, as far as is known
	 */
	FenceResult moveCounter(Connection connection, int timeout, String keySpace, FenceState seen, long bound)
			throws SQLException {
		if (seen.isFirstContact()) {
			begin(connection, timeout, keySpace, seen, "next_ordinal");
			return FenceResult.FIRST_CONTACT;
		}
		if (!seen.isOtherServer()) {
			return FenceResult.SAME_SERVER;
		}
		long left = bound - seen.line().position();
		set(connection, timeout, keySpace, seen, seen.line().takeOver(seen.clock(), this.lag, left), "next_ordinal");
		return FenceResult.TAKEN_OVER;
	}

	/**
	 * Log that a counter was moved, once that is committed.
	 */
	void logCounter(String keySpace, FenceState seen, long bound) {
		long left = bound - seen.line().position();
		long distance = counter(seen, bound) - seen.line().position();
		logger.log(Level.WARNING, "Another server has taken over the tables of ids: key space '" + keySpace
				+ "' skipped " + distance + " ids, and reserves none for "
				+ Duration.ofNanos(this.lag * 1_000).toMillis() + " ms (failover lag)"
				+ (seen.line().isCapped(seen.clock(), this.lag, left)
						? ". The rule asks for more, but no more than 1/64 of what is left may be skipped: ids that the"
								+ " earlier server confirmed may repeat. Lower the failover margin or enlarge the key"
								+ " space"
						: ""));
	}

	/**
	 * Return what this instance has seen of a key space if the row does not have it: a
	 * server is back that had been replaced, and that never received what was written
	 * meanwhile. Each take-over moves the time until which the line is held, so a row
	 * that another server wrote last, and that is held for less long, lacks a take-over.
	 * What other instances have seen, and this one before it was started, is not known
	 * here.
	 * @param what the key space, or the part of it that is looked at
	 */
	@Nullable FenceState lost(String what, FenceState seen) {
		if (seen.writer() == null || seen.isOtherServer()) {
			return null;
		}
		FenceState before = this.latest.put(what, seen);
		return (before != null && !seen.writer().equals(before.writer())
				&& seen.line().holdUntil() < before.line().holdUntil()) ? before : null;
	}

	/**
	 * Log that a server is back that lacks what was written meanwhile.
	 * @return the message
	 */
	static String logLoss(String keySpace, FenceState lost, @Nullable String back, String remedy) {
		String message = "The tables of ids are back on server " + back + ", which lacks what server " + lost.writer()
				+ " has written after it had taken over: all ids of key space '" + keySpace + "' that were reserved on "
				+ lost.writer() + " come once more, also from instances that start now, which cannot know. " + remedy;
		logger.log(Level.WARNING, message);
		return message;
	}

	/**
	 * Return how many ordinals may be reserved at once.
	 * @param count how many are wanted
	 * @return at least 1
	 * @throws NotYetException if so few may be reserved that it is worth waiting
	 */
	long affordable(FenceState seen, long count) throws NotYetException {
		if (!isOn()) {
			return count;
		}
		verifyWait(seen, seen.line().waitForSome(count, seen.clock(), this.lag));
		return seen.line().affordable(seen.clock(), this.lag);
	}

	/**
	 * Make sure that as many ordinals may be reserved.
	 */
	void verifyAffordable(FenceState seen, long count) throws NotYetException {
		verifyWait(seen, isOn() ? seen.line().wait(count, seen.clock(), this.lag) : 0);
	}

	private void verifyWait(FenceState seen, long wait) throws NotYetException {
		if (wait > 0) {
			throw new NotYetException(
					seen.line().isResting(seen.clock(), this.lag)
							? "the database has failed over to another server, and no id is reserved for failover-lag"
							: "all instances together have reserved as many ids as failover-margin allows",
					Duration.ofNanos(wait * 1_000));
		}
	}

	/**
	 * Bring the line back to the clock of the server if that was set back, or is behind
	 * that of the server before: nothing would be reserved for as long.
	 * @return whether that was so
	 */
	boolean followClock(Connection connection, int timeout, String keySpace, FenceState seen) throws SQLException {
		FenceLine followed = isOn() ? seen.line().followClock(seen.clock(), this.lag).orElse(null) : null;
		if (followed == null) {
			return false;
		}
		logger.log(Level.WARNING, "The clock of the database is behind the reservations of key space '" + keySpace
				+ "': it was set back. Reservations go on; a fail-over within the next hour may skip too few ids");
		return this.sql.followClock(keySpace, seen.line(), followed).run(connection, timeout) == 1;
	}

	/**
	 * Raise the rate if reservations have used much of it, or if it is lower than the
	 * margin says, as that was raised.
	 * @return whether it was raised
	 */
	boolean raise(Connection connection, int timeout, String keySpace, FenceState seen) throws SQLException {
		FenceLine raised = isOn() ? seen.line().raiseIfDue(seen.clock(), this.lag, this.margin).orElse(null) : null;
		return raised != null && this.sql.raise(keySpace, seen.line(), raised).run(connection, timeout) == 1;
	}

	/**
	 * Return after how many reserved ordinals it is worth to look whether a raise is due.
	 * @param rate the rate as far as is known
	 */
	long refreshAfter(long rate) {
		return FenceLine.refreshAfter(this.margin, this.lag, rate);
	}

	/**
	 * Return the line of an unused counter, as margin and lag say.
	 */
	FenceLine unused(long position, long clock) {
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
		return this.dialect.clockMicros() + ", " + first.rate() + ", " + first.raised() + ", 0, 0";
	}

	void begin(Connection connection, int timeout, String keySpace, FenceState seen, String counter)
			throws SQLException {
		set(connection, timeout, keySpace, seen, unused(seen.line().position(), seen.clock()), counter);
	}

	/**
	 * Store this server and the state of the line, if no other instance has.
	 */
	void set(Connection connection, int timeout, String keySpace, FenceState seen, FenceLine line, String counter)
			throws SQLException {
		if (seen.server() != null) {
			this.dialect.verifyTakesOver(seen.writer(), seen.server());
		}
		int updated = this.sql.takeOver(keySpace, counter, seen.line().position(), seen.writer(), seen.server(), line)
			.run(connection, timeout);
		if (updated == 0) {
			throw new SQLException("another instance has carried out the fail-over", CONFLICT);
		}
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

}
