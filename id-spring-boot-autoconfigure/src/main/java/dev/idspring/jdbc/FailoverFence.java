package dev.idspring.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

import dev.idspring.slot.Slot;
import dev.idspring.slot.SlotSpace;
import org.jspecify.annotations.Nullable;

/**
 * Moves a key space ahead when another server has taken over, which may not have received
 * what the one before had confirmed. Each row of key spaces remembers the incarnation of
 * the server that it was last written on:
 *
 * <pre class="code">
 * incarnation  the server, as the dialect tells servers apart; null before the first contact
 * fenced_slot  what next_slot was when slots were last moved
 * fenced_until when the rest ends that follows
 * </pre>
 *
 * Why nothing that was confirmed before a fail-over is handed out again, as long as no
 * more was lost than the margin:
 * <ol>
 * <li>Every update that reserves has the condition that the row's incarnation is that of
 * the server which carries the update out. The server itself says so in the same
 * statement, so neither pools, proxies nor a connection that outlives a promotion can be
 * wrong about it. On another server the update changes nothing, and only then is it
 * looked why.</li>
 * <li>The row is moved ahead and takes the new incarnation in one update, under the
 * condition that it has an older one, and in the transaction of the reservation. The
 * row's lock lets one of several instances do that; the others find it done. The slots of
 * the key space are moved in the same transaction.</li>
 * <li>What others reserve on the old server, should it still be up, lies below what is
 * handed out here until they have used up the margin there. When they come here they find
 * the counter beyond theirs, or stop.</li>
 * <li>Nothing is given back on a server that it was not reserved on: whatever was lost
 * would lie beyond the counter then. A read that comes before the first reservation tells
 * what the counter will be, so that nobody takes a fail-over for a restored backup.</li>
 * <li>Nothing moves beyond its bound: neither a counter beyond the capacity, nor a series
 * beyond its end.</li>
 * <li>A series loses its owner, since what is skipped must not pass for what the owner
 * has asked for; the owner begins another. Nobody adopts one for a lease. Of the series
 * that were begun since, none is known, so their numbers are passed over: as many as the
 * margin, but no more than a hundredth of those that are left. Who had begun one finds
 * that it is not its own.</li>
 * <li>The position of a node is time, and reaches no further ahead than a lease and what
 * clocks may be apart. All nodes move there. An owner whose lease is running keeps its
 * node, as nobody could have adopted it; the others rest for a lease, and none is begun,
 * for somebody may have begun the same.</li>
 * </ol>
 * Gapless numbers belong to the transactions that drew them and were lost with them, so
 * they never move. Nor does a counter without bound, which counts ids and makes none.
 */
final class FailoverFence {

	static final long DEFAULT_MARGIN = 1_000_000;

	/**
	 * Moves a position ahead, but not beyond the end. Takes the distance, twice.
	 */
	static final String MOVE_POSITION = "next_position = case when next_position < end_position - ?"
			+ " then next_position + ? else end_position end";

	/** Owns what rests. */
	private static final String NOBODY = "fail-over";

	private static final Logger logger = System.getLogger(FailoverFence.class.getName());

	private final TableNames tables;

	private final @Nullable String incarnation;

	private final long margin;

	/**
	 * Create a fence.
	 * @param tables where the key spaces are
	 * @param incarnation an SQL expression that tells servers apart, or {@code null} if
	 * there is none
	 * @param margin how far to move ahead, 0 for not at all
	 */
	FailoverFence(TableNames tables, @Nullable String incarnation, long margin) {
		this.tables = tables;
		this.incarnation = (margin > 0) ? incarnation : null;
		this.margin = margin;
	}

	/**
	 * Return this fence, or one that does nothing.
	 */
	FailoverFence onlyIf(boolean condition) {
		return condition ? this : new FailoverFence(this.tables, null, 0);
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
	 * Return what to add to the condition of an update of a slot.
	 */
	String andSameServerOfKeySpace() {
		return isOn()
				? " and exists (select 1 from " + this.tables.keySpace()
						+ " spaces where spaces.name = key_space and spaces.incarnation = " + this.incarnation + ")"
				: "";
	}

	/**
	 * Return where a counter will be when the key space is first used on this server.
	 * @param seen the incarnations of the row and of the server
	 */
	long counter(long nextOrdinal, long capacity, Seen seen) {
		return seen.differ() ? Math.max(nextOrdinal, nextOrdinal + Math.min(this.margin, capacity - nextOrdinal))
				: nextOrdinal;
	}

	/**
	 * Let a counter be used on this server: note the server when it is the first, move
	 * ahead when it is another.
	 * @return whether anything was changed
	 */
	boolean moveCounter(Connection connection, int timeout, String keySpace) throws SQLException {
		if (!isOn()) {
			return false;
		}
		if (begin(connection, timeout, keySpace)) {
			return true;
		}
		boolean moved = JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace()
						+ " set next_ordinal = case when next_ordinal < capacity - ? then next_ordinal + ?"
						+ " when next_ordinal < capacity then capacity else next_ordinal end, incarnation = "
						+ this.incarnation + " where name = ? and incarnation <> " + this.incarnation,
				this.margin, this.margin, keySpace) == 1;
		if (moved) {
			logger.log(Level.WARNING, "Another server has taken over the tables of ids: key space '" + keySpace
					+ "' moves ahead by " + this.margin + " ids (ids.jdbc.failover-margin)");
		}
		return moved;
	}

	/**
	 * Let slots be used on this server: note the server when it is the first, move ahead
	 * when it is another.
	 * @return whether anything was changed
	 */
	boolean moveSlots(Connection connection, int timeout, String keySpace, Move move) throws SQLException {
		if (!isOn()) {
			return false;
		}
		if (begin(connection, timeout, keySpace)) {
			return true;
		}
		boolean moved = JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace() + " set fenced_slot = next_slot, fenced_until = ?, incarnation = "
						+ this.incarnation + " where name = ? and incarnation <> " + this.incarnation,
				move.restUntil(), keySpace) == 1;
		if (moved) {
			logger.log(Level.WARNING, "Another server has taken over the tables of ids: the slots of key space '"
					+ keySpace + "' move ahead, and those without an owner rest for " + move.lease);
			if (move.isOfTime()) {
				moveNodes(connection, timeout, keySpace, move);
			}
			else {
				moveSeries(connection, timeout, keySpace, move);
			}
		}
		return moved;
	}

	private boolean begin(Connection connection, int timeout, String keySpace) throws SQLException {
		return JdbcDatabase.update(connection, timeout, "update " + this.tables.keySpace() + " set incarnation = "
				+ this.incarnation + " where name = ? and incarnation is null", keySpace) == 1;
	}

	private void moveSeries(Connection connection, int timeout, String keySpace, Move move) throws SQLException {
		long left = JdbcDatabase
			.queryOne(connection, timeout, (row) -> row.getLong(1) / move.seriesSize - row.getLong(2),
					"select capacity, next_slot from " + this.tables.keySpace() + " where name = ?", keySpace)
			.orElse(0L);
		long skipped = Math.min(Math.max(0, left), Math.min(this.margin, Math.max(1, left / 100)));
		JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace() + " set next_slot = next_slot + ? where name = ?", skipped,
				keySpace);
		JdbcDatabase.update(connection, timeout,
				"update " + this.tables.slot() + " set " + MOVE_POSITION + ", owner = '" + NOBODY
						+ "', lease_until = ? where key_space = ? and next_position < end_position",
				this.margin, this.margin, move.restUntil(), keySpace);
	}

	private void moveNodes(Connection connection, int timeout, String keySpace, Move move) throws SQLException {
		JdbcDatabase.update(connection, timeout,
				"update " + this.tables.slot()
						+ " set next_position = case when next_position < ? then ? else next_position end, owner = case"
						+ " when owner is not null and lease_until >= ? then owner else '" + NOBODY
						+ "' end, lease_until = ? where key_space = ?",
				move.horizon, move.horizon, move.now, move.restUntil(), keySpace);
	}

	/**
	 * Return how a slot will be when the key space is first used on this server.
	 */
	Slot slot(Slot slot, Seen seen) {
		if (!seen.differ() || slot.end() == Long.MAX_VALUE) {
			return slot;
		}
		return slot.at((slot.position() < slot.end() - this.margin) ? slot.position() + this.margin : slot.end());
	}

	/**
	 * The incarnations of a row and of the server that was asked.
	 */
	record Seen(@Nullable String ofRow, @Nullable String ofServer) {

		static Seen of(ResultSet row, int first) throws SQLException {
			return new Seen(row.getString(first), row.getString(first + 1));
		}

		/**
		 * Return whether another server has taken over. Before the first contact that
		 * cannot be known, nor while a server does not say who it is.
		 */
		boolean differ() {
			return this.ofRow != null && this.ofServer != null && !this.ofRow.equals(this.ofServer);
		}

	}

	/**
	 * What has to be known to move slots.
	 *
	 * @param now the time of the database
	 * @param lease how long slots rest
	 * @param seriesSize how many ordinals a series has, 0 if positions are times
	 * @param horizon up to where anybody can have reserved times by now
	 */
	record Move(long now, Duration lease, long seriesSize, long horizon) {

		/**
		 * Tell from the slots there are.
		 */
		static Move of(SlotSpace space, long now, Duration lease) {
			boolean time = space.end(0) == Long.MAX_VALUE;
			return new Move(now, lease, time ? 0 : space.end(0) - space.start(0), space.horizon());
		}

		/**
		 * Tell from what somebody believes to own. A node is reserved for a lease ahead
		 * at the most, and its owner has been heard of within a lease.
		 */
		static Move of(Slot slot, long now, Duration lease) {
			boolean time = slot.end() == Long.MAX_VALUE;
			return new Move(now, lease, time ? 0 : Math.max(1, slot.end() / (slot.number() + 1)),
					time ? slot.position() + lease.toMillis() : 0);
		}

		boolean isOfTime() {
			return this.seriesSize == 0;
		}

		long restUntil() {
			return this.now + this.lease.toMillis();
		}

	}

}
