package dev.idspring.jdbc;

import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import dev.idspring.jdbc.FailoverFence.FenceResult;
import dev.idspring.jdbc.FailoverFence.Seen;
import dev.idspring.store.FenceLine;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.SlotSpace;

/**
 * Moves the slots of a key space ahead when another server has taken over, in the
 * transaction that moves its row ({@link FailoverFence}).
 * <ol>
 * <li>A series that is begun is passed over to its end, within the same share, so no
 * order of fail-overs leads back into it. Its owner loses it and begins another. The
 * numbers of new series are a counter with a line of its own.</li>
 * <li>The position of a node is time, and no node is reserved beyond the horizon: now, by
 * the clock that is furthest ahead, plus what may be borrowed, plus a lease. All nodes
 * move there, except those that are used up and those of a database. An owner whose lease
 * is running keeps its node, as no other instance could adopt it: its token is removed,
 * since that of its last attempt may be lost. The others wait until the clock that is
 * furthest behind has passed the horizon, and none is begun until then. So whatever was
 * adopted or begun on the old server is in the past.</li>
 * <li>Leases may differ. The row gives the length of an owner's lease,
 * {@code lease_until - leased_at}: after a fail-over it may be too long, never too short.
 * The horizon is computed from the longest lease still running. An expired lease counts
 * only for its own row. A second fail-over never shortens a waiting period or a lease. A
 * lease that is lengthened is used only after it has been in the row for longer than a
 * fail-over may lose ({@link SlotOwner}).</li>
 * </ol>
 */
final class SlotFence {

	/**
	 * Moves a position ahead, but not beyond the end. Takes the distance, twice.
	 */
	static final String MOVE_POSITION = "next_position = case when next_position < end_position - ?"
			+ " then next_position + ? else end_position end";

	/** The owner of slots that are waiting after a fail-over. */
	static final String FAIL_OVER = "fail-over";

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
			+ " and owner is not null and owner <> '" + FAIL_OVER + "'";

	private static final Logger logger = System.getLogger(SlotFence.class.getName());

	private final FailoverFence fence;

	private final TableNames tables;

	private final Dialect dialect;

	private final long margin;

	private final long lag;

	SlotFence(FailoverFence fence, TableNames tables, Dialect dialect, long margin, long lag) {
		this.fence = fence;
		this.tables = tables;
		this.dialect = dialect;
		this.margin = margin;
		this.lag = lag;
	}

	/**
	 * Let slots be used on this server: store the server when it is the first, move ahead
	 * when it is another.
	 */
	FenceResult move(Connection connection, int timeout, String keySpace, Move move) throws SQLException {
		if (!this.fence.isOn()) {
			return FenceResult.SAME_SERVER;
		}
		Seen seen = SqlStatements.queryOne(connection, timeout, (row) -> this.fence.seen(row, 2, row.getLong(1)),
				"select next_slot" + this.fence.columns() + " from " + this.tables.keySpace() + " where name = ?"
						+ this.dialect.forUpdate(),
				keySpace)
			.orElse(Seen.NOTHING);
		if (seen.isFirstContact()) {
			this.fence.begin(connection, timeout, keySpace, seen, "next_slot");
			return FenceResult.FIRST_CONTACT;
		}
		if (!seen.differ()) {
			// separate from what the store of key spaces has seen of the same row
			Seen lost = this.fence.lost("slots of " + keySpace, seen);
			if (lost != null) {
				FailoverFence.logLoss(keySpace, lost, seen.ofServer(), remedy(keySpace, move));
			}
			return FenceResult.SAME_SERVER;
		}
		Horizon horizon = move.space.horizon();
		long count = (horizon != null) ? 0 : countOfAll(connection, timeout, keySpace, move.space);
		FenceLine moved = (horizon != null) ? seen.line().hold(seen.clock()) : movedNumbers(seen, count);
		this.fence.set(connection, timeout, keySpace, seen, moved, "next_slot");
		SqlStatements.update(connection, timeout,
				"update " + this.tables.keySpace() + " set fenced_slot = ?, fenced_end = ?, "
						+ NOT_EARLIER.formatted(UNTIL) + " where name = ?",
				seen.line().position(), moved.position(), move.restUntil(), move.restUntil(), keySpace);
		if (horizon != null) {
			moveNodes(connection, timeout, keySpace, move, horizon.position());
		}
		else {
			moveSeries(connection, timeout, keySpace, move, moved.position(), count);
		}
		return FenceResult.TAKEN_OVER;
	}

	private static String remedy(String keySpace, Move move) {
		return (move.space.horizon() != null) ? RecoveryInstructions.awaitTime(move.rest()) : RecoveryInstructions
			.skipSeriesAhead(keySpace, RecoveryInstructions.UNKNOWN, RecoveryInstructions.UNKNOWN);
	}

	/**
	 * Return how many series there are for any instance: that which happens to find the
	 * fail-over may know of far fewer than the others.
	 */
	private long countOfAll(Connection connection, int timeout, String keySpace, SlotSpace space) throws SQLException {
		long capacity = SqlStatements
			.queryOne(connection, timeout, (row) -> row.getLong(1),
					"select capacity from " + this.tables.keySpace() + " where name = ?", keySpace)
			.orElse(0L);
		return Math.max(space.count(), capacity / (space.end(0) - space.start(0)));
	}

	/**
	 * Count series as units of the line, of which each uses many.
	 */
	private FenceLine movedNumbers(Seen seen, long count) {
		long left = Math.max(0, count - seen.line().position());
		FenceLine units = new FenceLine(0, seen.line().time(), seen.line().rate(), seen.line().raised(),
				seen.line().raiseAt(), seen.line().holdUntil())
			.takeOver(seen.clock(), this.lag, Math.min(left, Long.MAX_VALUE / unitsPerSeries()) * unitsPerSeries());
		long skipped = Math.min(left, (units.position() - 1) / unitsPerSeries() + 1);
		return new FenceLine(seen.line().position() + skipped, units.time(), units.rate(), units.raised(),
				units.raiseAt(), units.holdUntil());
	}

	/**
	 * Return how many units of the line a new series uses: never more than it allows.
	 */
	long unitsPerSeries() {
		long bucket = this.fence.unused(0, 0).affordable(0, this.lag);
		return Math.max(1, Math.min(UNITS_PER_SERIES, bucket));
	}

	/**
	 * Log that slots were moved, once that is committed.
	 */
	static void log(String keySpace, Move move) {
		logger.log(Level.WARNING, "Another server has taken over the tables of ids: the slots of key space '" + keySpace
				+ "' have moved ahead, and those without an owner rest for at least " + move.rest().toSeconds() + " s");
	}

	private void moveSeries(Connection connection, int timeout, String keySpace, Move move, long next, long count)
			throws SQLException {
		long begun = SqlStatements.queryOne(connection, timeout, (row) -> row.getLong(1),
				"select count(*) from " + this.tables.slot() + " where key_space = ? and next_position < end_position",
				keySpace)
			.orElse(0L);
		long left = (next < count) ? move.space.end(count - 1) - move.space.start(next) : 0;
		long most = Math.max(this.margin, left / SHARE / Math.max(1, begun));
		SqlStatements.update(connection, timeout,
				"update " + this.tables.slot() + " set " + MOVE_POSITION + ", owner = '" + FAIL_OVER
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
			SqlStatements.update(connection, timeout,
					"update " + this.tables.keySpace() + " set " + NOT_EARLIER.formatted(UNTIL) + " where name = ?",
					restUntil, restUntil, keySpace);
		}
		SqlStatements.update(connection, timeout,
				"update " + this.tables.slot()
						+ " set next_position = case when next_position < lease_until - leased_at + ?"
						+ " then lease_until - leased_at + ? else next_position end,"
						+ " lease_until = lease_until - leased_at + ?, owner = '" + FAIL_OVER + "'" + OF_OWNERS
						+ " and lease_until < ? and lease_until - leased_at > ?",
				horizon - lease, horizon - lease, move.restUntil() - lease, keySpace, move.now, longest);
		// the owner first: some databases see what was set before in the same statement
		SqlStatements.update(connection, timeout, "update " + this.tables.slot()
				+ " set next_position = case when next_position < ? then ? else next_position end, token = null, owner = case"
				+ " when owner is not null and lease_until >= ? then owner else '" + FAIL_OVER + "' end, "
				+ NOT_EARLIER.formatted("lease_until") + " where key_space = ? and next_position < end_position",
				reached, reached, move.now, restUntil, restUntil, keySpace);
	}

	private long longestRunning(Connection connection, int timeout, String keySpace, long now) throws SQLException {
		return SqlStatements.queryOne(connection, timeout, (row) -> row.getLong(1),
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
	 * What has to be known to move slots.
	 *
	 * @param now the time of the database
	 * @param space which slots there are
	 * @param lease the lease of the first instance: how long series rest, and what of the
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
