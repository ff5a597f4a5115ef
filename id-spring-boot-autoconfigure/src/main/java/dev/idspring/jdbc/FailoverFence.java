package dev.idspring.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

import dev.idspring.slot.Slot;
import dev.idspring.slot.SlotSpace;
import dev.idspring.slot.SlotSpace.Horizon;
import org.jspecify.annotations.Nullable;

/**
 * Moves a key space ahead when another server has taken over, which may not have received
 * what the one before had confirmed. Each row of key spaces remembers the incarnation of
 * the server that it was last written on:
 *
 * <pre class="code">
 * incarnation  the server, as the dialect tells servers apart; null before the first contact
 * fenced_slot  what next_slot was when slots were last moved
 * fenced_end   what next_slot was afterwards
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
 * looked why. A standby has no incarnation, and is not believed at all.</li>
 * <li>The row is moved ahead and takes the new incarnation in one update, under the
 * condition that it has an older one, in a transaction that is committed whether or not
 * whoever came first gets what it came for. The row's lock lets one of several instances
 * do that; the others find it done. The slots of the key space are moved in the same
 * transaction.</li>
 * <li>What others reserve of a counter on the old server, should it still be up, lies
 * below what is handed out here until they have used up the margin there. When they come
 * here they find the counter beyond theirs, or stop.</li>
 * <li>Nothing is given back on a server that it was not reserved on: whatever was lost
 * would lie beyond the counter then. A read that comes before the first reservation tells
 * what the counter will be, so that nobody takes a fail-over for a restored backup.</li>
 * <li>A series moves no further than its end. A counter moves by the whole margin, beyond
 * every bound if need be: nobody can know whether one was raised on the old server, and
 * more reserved below it. Who reserves is held to a bound anyway.</li>
 * <li>A series loses its owner, since what is skipped must not pass for what the owner
 * has asked for; the owner begins another. Nobody adopts one for a lease. Of the series
 * that were begun since, none is known, so their numbers are passed over: as many as the
 * margin, but no more than a hundredth of those that are left. Who had begun one of these
 * finds that it is not its own; who had begun one beyond them, or had used one up that is
 * not, knows that more was lost, and stops.</li>
 * <li>The position of a node is time, and nobody can have reserved beyond the horizon:
 * now, by the clock that is furthest ahead, and what may be borrowed, and a lease. All
 * nodes move there, but those that are used up, or a database's for good. An owner whose
 * lease is running keeps its node, as nobody could have adopted it, and nothing beyond
 * its window was anybody else's. The others rest until the clock that is furthest behind
 * has passed the horizon, and none is begun until then: so whatever was adopted or begun
 * on the old server, while it was up, lies in the past.</li>
 * <li>Leases may differ, and that of whoever comes first may be the shortest. How long an
 * owner's is its row tells, {@code lease_until - leased_at}: after a fail-over that it
 * has not been heard of since, it tells too much, never too little. The horizon is by the
 * longest of those that are running: whoever has such a lease may have taken a node of
 * which nothing is known here. A lease that has run out is reckoned with in the row it
 * stands in: its owner may have renewed it, if more was lost than a lease is long. And
 * nothing that rests, or is leased, ends earlier for another fail-over.</li>
 * </ol>
 * Gapless numbers belong to the transactions that drew them and were lost with them, so
 * they never move. Nor does a counter that counts ids and makes none.
 */
final class FailoverFence {

	static final long DEFAULT_MARGIN = 1_000_000;

	/**
	 * Moves a position ahead, but not beyond the end. Takes the distance, twice.
	 */
	static final String MOVE_POSITION = "next_position = case when next_position < end_position - ?"
			+ " then next_position + ? else end_position end";

	/** Owns what rests. */
	static final String NOBODY = "fail-over";

	/** Moves a time, but never back. Takes the time, twice. */
	private static final String NOT_EARLIER = "%1$s = case when %1$s > ? then %1$s else ? end";

	private static final String UNTIL = "fenced_until";

	/** The slots of a key space that are somebody's and not used up. */
	private static final String OF_OWNERS = " where key_space = ? and next_position < end_position"
			+ " and owner is not null and owner <> '" + NOBODY + "'";

	/** Worth another try: the promotion may be under way. */
	private static final String READ_ONLY = "25006";

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
	 * Read what tells whether another server has taken over.
	 * @param first the column with the incarnation of the row, before that of the server
	 * @throws SQLException if the server is a standby, which may lack a lot that is still
	 * to come
	 */
	Seen seen(ResultSet row, int first) throws SQLException {
		Seen seen = new Seen(row.getString(first), row.getString(first + 1));
		if (isOn() && seen.ofServer == null) {
			throw new SQLException("the server is a standby that has not been promoted yet", READ_ONLY);
		}
		return seen;
	}

	/**
	 * Return where a counter will be when the key space is first used on this server.
	 * @param seen the incarnations of the row and of the server
	 */
	long counter(long nextOrdinal, Seen seen) {
		return seen.differ() ? nextOrdinal + Math.min(this.margin, Long.MAX_VALUE - nextOrdinal) : nextOrdinal;
	}

	/**
	 * Let a counter be used on this server: note the server when it is the first, move
	 * ahead when it is another.
	 */
	Passage moveCounter(Connection connection, int timeout, String keySpace) throws SQLException {
		if (!isOn()) {
			return Passage.SAME_SERVER;
		}
		if (begin(connection, timeout, keySpace)) {
			return Passage.FIRST_CONTACT;
		}
		return passage(JdbcDatabase.update(connection, timeout, "update " + this.tables.keySpace()
				+ " set next_ordinal = case when next_ordinal < ? then next_ordinal + ? else ? end, incarnation = "
				+ this.incarnation + " where name = ? and incarnation <> " + this.incarnation,
				Long.MAX_VALUE - this.margin, this.margin, Long.MAX_VALUE, keySpace));
	}

	/**
	 * Say that a counter was moved, once that is committed.
	 */
	void tellCounter(String keySpace) {
		logger.log(Level.WARNING, "Another server has taken over the tables of ids: key space '" + keySpace
				+ "' has moved ahead by " + this.margin + " ids (ids.jdbc.failover-margin)");
	}

	/**
	 * Let slots be used on this server: note the server when it is the first, move ahead
	 * when it is another.
	 */
	Passage moveSlots(Connection connection, int timeout, String keySpace, Move move) throws SQLException {
		if (!isOn()) {
			return Passage.SAME_SERVER;
		}
		if (begin(connection, timeout, keySpace)) {
			return Passage.FIRST_CONTACT;
		}
		Passage passage = passage(JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace() + " set fenced_slot = next_slot, fenced_end = next_slot, "
						+ NOT_EARLIER.formatted(UNTIL) + ", incarnation = " + this.incarnation
						+ " where name = ? and incarnation <> " + this.incarnation,
				move.restUntil(), move.restUntil(), keySpace));
		if (passage == Passage.TAKEN_OVER) {
			Horizon horizon = move.space.horizon();
			if (horizon != null) {
				moveNodes(connection, timeout, keySpace, move, horizon.position());
			}
			else {
				moveSeries(connection, timeout, keySpace, move);
			}
		}
		return passage;
	}

	/**
	 * Say that slots were moved, once that is committed.
	 */
	static void tellSlots(String keySpace, Move move) {
		logger.log(Level.WARNING, "Another server has taken over the tables of ids: the slots of key space '" + keySpace
				+ "' have moved ahead, and those without an owner rest for at least " + move.rest());
	}

	private static Passage passage(int updated) {
		return (updated == 1) ? Passage.TAKEN_OVER : Passage.SAME_SERVER;
	}

	private boolean begin(Connection connection, int timeout, String keySpace) throws SQLException {
		return JdbcDatabase.update(connection, timeout, "update " + this.tables.keySpace() + " set incarnation = "
				+ this.incarnation + " where name = ? and incarnation is null", keySpace) == 1;
	}

	private void moveSeries(Connection connection, int timeout, String keySpace, Move move) throws SQLException {
		long left = JdbcDatabase
			.queryOne(connection, timeout, (row) -> move.space.count() - row.getLong(1),
					"select next_slot from " + this.tables.keySpace() + " where name = ?", keySpace)
			.orElse(0L);
		long skipped = Math.min(Math.max(0, left), Math.min(this.margin, Math.max(1, left / 100)));
		// the end first: some databases see what was set before in the same statement
		JdbcDatabase.update(connection, timeout,
				"update " + this.tables.keySpace()
						+ " set fenced_end = next_slot + ?, next_slot = next_slot + ? where name = ?",
				skipped, skipped, keySpace);
		JdbcDatabase.update(connection, timeout,
				"update " + this.tables.slot() + " set " + MOVE_POSITION + ", owner = '" + NOBODY
						+ "', lease_until = ? where key_space = ? and next_position < end_position",
				this.margin, this.margin, move.restUntil(), keySpace);
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
				+ " set next_position = case when next_position < ? then ? else next_position end, owner = case"
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
	 * Return how a slot will be when the key space is first used on this server.
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
	enum Passage {

		/** Nothing was changed. */
		SAME_SERVER,

		/** The server was noted. */
		FIRST_CONTACT,

		/** The key space was moved ahead. */
		TAKEN_OVER

	}

	/**
	 * The incarnations of a row and of the server that was asked.
	 */
	record Seen(@Nullable String ofRow, @Nullable String ofServer) {

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
