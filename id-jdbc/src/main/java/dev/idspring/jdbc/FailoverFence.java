package dev.idspring.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;
import org.jspecify.annotations.Nullable;

/**
 * The state that {@link FenceRules} need in a database. The row of a key space stores the
 * incarnation of the server that wrote it last, and the state of its {@link FenceLine}:
 *
 * <pre class="code">
 * incarnation      the server as the dialect identifies it; null before the first contact
 * fenced_slot      next_slot before slots were last moved
 * fenced_end       next_slot afterwards
 * fenced_until     the end of the waiting time of nodes that follows
 * line_time        the rate is used up to this time, in microseconds since 1970
 * line_rate        ids per second that may be reserved before line_raised_at
 * line_raised_rate ids per second from then on
 * line_raised_at   when the raised rate takes effect
 * line_held_until  idle time does not lower the line before this time
 * </pre>
 *
 * A standby has no incarnation. A take-over moves slots in the same transaction.
 */
final class FailoverFence {

	static final long DEFAULT_MARGIN = 1_000_000;

	static final Duration DEFAULT_LAG = Duration.ofSeconds(5);

	private static final Logger logger = System.getLogger(FailoverFence.class.getName());

	private final TableNames tables;

	private final Dialect dialect;

	private final @Nullable String incarnation;

	private final FenceRules rules;

	private final ReservationSql sql;

	/** The rows that this instance has read last, by the name of the key space. */
	private final ConcurrentMap<String, FenceState> latest = new ConcurrentHashMap<>();

	/**
	 * Create a fence.
	 * @param tables the tables of the key spaces
	 * @param dialect the database
	 * @param incarnation an SQL expression that identifies the server, or {@code null} if
	 * there is none
	 * @param margin how many ordinals may be reserved at once, 0 for no fence
	 * @param lag the longest replication lag of a server that takes over
	 */
	FailoverFence(TableNames tables, Dialect dialect, @Nullable String incarnation, long margin, Duration lag) {
		this.tables = tables;
		this.dialect = dialect;
		this.incarnation = (margin > 0) ? incarnation : null;
		this.rules = new FenceRules((incarnation != null) ? margin : 0, lag.toNanos() / 1_000,
				"Another server has taken over the tables of ids");
		this.sql = new ReservationSql(tables, dialect, this.incarnation, this.rules.burst());
	}

	FenceRules rules() {
		return this.rules;
	}

	/**
	 * Return the statements that reserve, which also check and move the fence.
	 */
	ReservationSql sql() {
		return this.sql;
	}

	boolean isOn() {
		return this.incarnation != null;
	}

	/**
	 * Return the incarnation of the server as an SQL expression.
	 * @param otherwise the result without a fence
	 */
	String current(String otherwise) {
		return (this.incarnation != null) ? this.incarnation : otherwise;
	}

	/**
	 * Return a condition, preceded by {@code and}, for key spaces that this server has
	 * written last.
	 * @param column the column of the incarnation
	 */
	String andSameServer(String column) {
		return isOn() ? " and " + column + " = " + this.incarnation : "";
	}

	/**
	 * Return a condition, preceded by {@code and}, for the update of a slot: the key
	 * space must exist, on this server.
	 */
	String andSameServerOfKeySpace() {
		return " and exists (select 1 from " + this.tables.keySpace() + " spaces where spaces.name = key_space"
				+ andSameServer("spaces.incarnation") + ")";
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
	 * Read the state that shows whether another server has taken over.
	 * @param first the first of the columns
	 * @param position the position of the counter
	 * @throws SQLException if the server is a standby, which may still lack many commits
	 */
	FenceState state(ResultSet row, int first, long position) throws SQLException {
		if (!isOn()) {
			return FenceState.NONE;
		}
		String server = row.getString(first + 1);
		if (server == null) {
			throw new SQLException("the server is a standby that has not been promoted yet", Dialect.READ_ONLY);
		}
		FenceLine line = new FenceLine(position, row.getLong(first + 2), row.getLong(first + 3), row.getLong(first + 4),
				row.getLong(first + 5), row.getLong(first + 6));
		return new FenceState(row.getString(first), server, line, row.getLong(first + 7));
	}

	/**
	 * Return the state that this instance has read before if the row lacks it: a replaced
	 * server is back without the commits made meanwhile. Each take-over extends the time
	 * until which the line is held. So a row that another server wrote last, and that is
	 * held for less long, lacks a take-over. Reads by other instances, or before this one
	 * started, are not known here.
	 * @param what the key space, or the part of it that was read
	 */
	@Nullable FenceState lost(String what, FenceState found) {
		if (found.writer() == null || found.isOtherServer()) {
			return null;
		}
		FenceState before = this.latest.put(what, found);
		return (before != null && !found.writer().equals(before.writer())
				&& found.line().holdUntil() < before.line().holdUntil()) ? before : null;
	}

	/**
	 * Log that a server is back without the commits made meanwhile.
	 * @return the message
	 */
	static String logLoss(String keySpace, FenceState lost, @Nullable String back, String remedy) {
		String message = "The tables of ids are back on server " + back + ", which lacks what server " + lost.writer()
				+ " has written after it had taken over: all ids of key space '" + keySpace + "' that were reserved on "
				+ lost.writer() + " will be issued again, also by instances that start now. " + remedy;
		logger.log(Level.WARNING, message);
		return message;
	}

	/**
	 * Return the state of an unused line for a new row: the values of the columns from
	 * {@code line_time} on, as SQL.
	 */
	String firstLine() {
		if (!isOn()) {
			return "null, null, null, null, null";
		}
		FenceLine first = this.rules.unused(0, 0);
		return this.dialect.clockMicros() + ", " + first.rate() + ", " + first.raised() + ", 0, 0";
	}

	/**
	 * Store this server and the state of the line, if no other instance has done so.
	 * @param counter the column that the line bounds
	 * @return whether the row was unchanged since it was read
	 */
	boolean takeOver(Connection connection, int timeout, String keySpace, FenceState found, FenceLine line,
			String counter) throws SQLException {
		if (found.server() != null) {
			this.dialect.verifyTakesOver(found.writer(), found.server());
		}
		return this.sql.takeOver(keySpace, counter, found.line().position(), found.writer(), found.server(), line)
			.run(connection, timeout) == 1;
	}

}
