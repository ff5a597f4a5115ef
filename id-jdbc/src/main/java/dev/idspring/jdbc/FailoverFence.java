package dev.idspring.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceAccess;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;
import org.jspecify.annotations.Nullable;

/**
 * Stores and reads the state from which {@link FenceRules} learns whether a fail-over has
 * happened. The row of a key space contains the incarnation (an identifier of the server
 * that wrote the row last), and the {@link FenceLine}, which limits how fast ids are
 * reserved:
 *
 * <pre class="code">
 * incarnation      the server as the dialect identifies it; null if none has been recorded yet
 * fenced_slot      the first slot number that the latest take-over has skipped
 * fenced_end       the end of the skipped slot numbers, exclusive; equal to fenced_slot if there are none
 * fenced_until     the time until which no node is created, in milliseconds since 1970
 * line_time        the time at which the line reaches the position of the counter
 * line_rate        ids per second that may be reserved before line_raised_at
 * line_raised_rate ids per second from then on
 * line_raised_at   when the raised rate takes effect; 9000000000000000 if the raise is stored but not started
 * line_held_until  the time until which idle time does not lower the line
 * </pre>
 *
 * The times in the {@code line} columns are in microseconds since 1970, by the clock of
 * the server. A take-over of slots (series or nodes) also changes their positions, in the
 * same transaction.
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

	/**
	 * The latest state that this instance has read, by the name of the key space. The
	 * states that were read for slots have separate entries, whose names begin with a
	 * prefix.
	 */
	private final ConcurrentMap<String, FenceState> latestStates = new ConcurrentHashMap<>();

	/**
	 * Create a fence.
	 * @param tables the names of the tables
	 * @param dialect the dialect of the database
	 * @param incarnation an SQL expression that identifies the server, or {@code null} if
	 * there is none
	 * @param settings the settings of the tables. A margin of 0 disables the fence
	 */
	FailoverFence(TableNames tables, Dialect dialect, @Nullable String incarnation, JdbcSettings settings) {
		long margin = settings.failoverMargin();
		this.tables = tables;
		this.dialect = dialect;
		this.incarnation = (margin > 0) ? incarnation : null;
		this.rules = new FenceRules((incarnation != null) ? margin : 0, settings.failoverLag().toNanos() / 1_000,
				"The tables of the id store are now on another server");
		this.sql = new ReservationSql(tables, dialect, this.incarnation, this.rules.burst());
	}

	FenceRules rules() {
		return this.rules;
	}

	/**
	 * Return the statements that reserve ordinals or slot numbers, and those that change
	 * the writer and the line.
	 */
	ReservationSql sql() {
		return this.sql;
	}

	boolean isOn() {
		return this.incarnation != null;
	}

	/**
	 * Return the incarnation of the server as an SQL expression.
	 * @param otherwise the result if there is no fence
	 */
	String incarnationOr(String otherwise) {
		return (this.incarnation != null) ? this.incarnation : otherwise;
	}

	/**
	 * Return an SQL condition, preceded by {@code and}, that is true if this server was
	 * the last to write the key space. The condition is empty without a fence.
	 * @param column the name of the column with the incarnation
	 */
	String andSameServer(String column) {
		return isOn() ? " and " + column + " = " + this.incarnation : "";
	}

	/**
	 * Return an SQL condition, preceded by {@code and}, for the update of a slot. It is
	 * true if the key space exists and, with a fence, this server was the last to write
	 * the key space.
	 */
	String andKeySpaceOfThisServer() {
		return " and exists (select 1 from " + this.tables.keySpace() + " spaces where spaces.name = key_space"
				+ andSameServer("spaces.incarnation") + ")";
	}

	/**
	 * Return the columns that {@link #state} reads, each preceded by a comma.
	 */
	String columns() {
		return isOn() ? ", incarnation, " + this.incarnation
				+ ", line_time, line_rate, line_raised_rate, line_raised_at, line_held_until, "
				+ this.dialect.clockMicros() : "";
	}

	/**
	 * Read the state of the fence, which shows whether another server has taken over.
	 * @param first the index of the first column of {@link #columns}
	 * @param position the position of the counter
	 * @throws SQLException if the server is a standby, which has no incarnation of its
	 * own and may still lack many commits
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
	 * Remember the state of a row, and detect whether the row has lost the state that
	 * this instance remembered before. This happens when a replaced server returns to
	 * service without the commits of its replacement. Each take-over sets
	 * {@code line_held_until} to a later time. The row therefore lacks a take-over if its
	 * last writer has changed, and {@code line_held_until} is earlier than before. A loss
	 * is not detected if this instance has never read the lost state. A row that needs a
	 * take-over is ignored.
	 * @param entry the name of the entry in {@link #latestStates}
	 * @param found the state that has just been read
	 * @return the lost state, or {@code null} if nothing is known to be lost
	 */
	@Nullable FenceState findLostState(String entry, FenceState found) {
		if (found.writer() == null || found.hasFailedOver()) {
			return null;
		}
		FenceState before = this.latestStates.put(entry, found);
		return (before != null && !found.writer().equals(before.writer())
				&& found.line().holdUntil() < before.line().holdUntil()) ? before : null;
	}

	/**
	 * Log that a replaced server has returned to service without the commits of its
	 * replacement.
	 * @param lost the state that the server lacks
	 * @param server the server that has returned to service
	 * @return the logged message
	 */
	static String logLoss(String keySpace, FenceState lost, @Nullable String server, String remedy) {
		String message = "The tables of the id store are back on server " + server + ", which lacks what server "
				+ lost.writer() + " wrote after taking over: all ids of key space '" + keySpace
				+ "' that were reserved on " + lost.writer()
				+ " will be issued again, even by instances that start now. " + remedy;
		logger.log(Level.WARNING, message);
		return message;
	}

	/**
	 * Return the SQL values of the {@code line} columns in a new row.
	 */
	String unusedLine() {
		if (!isOn()) {
			return "null, null, null, null, null";
		}
		FenceLine unused = this.rules.unused(0, 0);
		return this.dialect.clockMicros() + ", " + unused.rate() + ", " + unused.raised() + ", 0, 0";
	}

	/**
	 * Changes the fence of one key space in one transaction.
	 */
	abstract static class Access implements FenceAccess<SQLException> {

		final JdbcDatabase database;

		final Connection connection;

		final int timeout;

		final String keySpace;

		Access(JdbcDatabase database, Connection connection, int timeout, String keySpace) {
			this.database = database;
			this.connection = connection;
			this.timeout = timeout;
			this.keySpace = keySpace;
		}

		final FailoverFence fence() {
			return this.database.fence();
		}

		final int run(Sql update) throws SQLException {
			return update.run(this.connection, this.timeout);
		}

		final boolean changes(Update update) throws SQLException {
			return run(update.whole()) == 1;
		}

		/**
		 * Store this server as the writer of the row, and store the line. If another
		 * instance has already taken over the row, nothing changes.
		 * @param counter the column of the counter that the line limits
		 * @return {@code false} if the row has changed since it was read
		 */
		final boolean takeOver(FenceState found, FenceLine line, String counter) throws SQLException {
			if (found.server() != null) {
				this.database.dialect().verifyMayTakeOver(found.writer(), found.server());
			}
			return changes(fence().sql()
				.takeOver(this.keySpace, counter, found.line().position(), found.writer(), found.server(), line));
		}

		@Override
		public final boolean followClock(FenceState state, FenceLine followed) throws SQLException {
			return changes(fence().sql().followClock(this.keySpace, state, followed, fence().rules().lag()));
		}

		@Override
		public final boolean changeRate(FenceState state, FenceLine changed) throws SQLException {
			return changes(fence().sql().changeRate(this.keySpace, state, changed));
		}

		@Override
		public final boolean startRaise(FenceState state) throws SQLException {
			return changes(fence().sql().startRaise(this.keySpace, state.line(), fence().rules().lag()));
		}

	}

}
