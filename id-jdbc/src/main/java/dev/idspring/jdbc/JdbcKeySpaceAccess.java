package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.KeySpaceAccess;
import dev.idspring.store.rules.KeySpaceView;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the row of one key space in one transaction. The statements that the
 * fence affects are in {@link ReservationSql}.
 */
final class JdbcKeySpaceAccess implements KeySpaceAccess<SQLException> {

	private final JdbcDatabase database;

	private final Connection connection;

	private final int timeoutSeconds;

	private final String name;

	/** The row as last read by {@link #view}. */
	private @Nullable KeySpaceRow row;

	JdbcKeySpaceAccess(JdbcDatabase database, Connection connection, int timeoutSeconds, String name) {
		this.database = database;
		this.connection = connection;
		this.timeoutSeconds = timeoutSeconds;
		this.name = name;
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
	 * Read the row before changing it, and lock it if the dialect has a locking clause.
	 * The query may be the first statement of the transaction, so it also sets up and
	 * checks the session.
	 */
	@Override
	public Optional<KeySpaceView> view() throws SQLException {
		Optional<KeySpaceRow> found = KeySpaceRow.select(this.database, this.connection, this.timeoutSeconds, this.name,
				transactions().prelude(this.connection), this.database.dialect().currentReadClause());
		this.row = found.orElse(null);
		if (found.isPresent() && !found.get().sessionIsReady()) {
			throw transactions().resetSession();
		}
		found.ifPresent((row) -> this.database.rememberBridge(this.name, row.bridge()));
		return found.map(KeySpaceRow::view);
	}

	@Override
	public Optional<Reserved> reserve(String definition, @Nullable String server, String token, long count, long bound)
			throws SQLException {
		if (this.database.isBridged(this.name) || (fence().isOn() && server == null)) {
			// after an empty result the caller reads the row, and so learns about the
			// bridge or the server
			return Optional.empty();
		}
		OptionalLong end = CounterUpdate.advance(this.connection, this.timeoutSeconds, this.database.dialect(),
				transactions().prelude(this.connection), table(), "next_ordinal", fence().sql()
					.reserve(this.name, definition, server, token, count, bound, transactions().readyCondition()));
		return end.isPresent()
				? Optional.of(new Reserved(new OrdinalRange(end.getAsLong() - count, end.getAsLong()), token, server))
				: Optional.empty();
	}

	/**
	 * Reserve ordinals from a bridge: the sequence or counter from which older instances
	 * draw. If the dialect has a locking clause, {@link #view} has locked the row, so no
	 * other instance that uses the key space can draw from the bridge until this
	 * transaction ends. The older instances, which do not use the key space, may still
	 * draw. The fence charges for the range. It also charges for the skipped ordinals
	 * between the counter and the range, up to a total of {@code affordable} ordinals.
	 */
	@Override
	public Optional<Reserved> reserveFromBridge(KeySpaceView view, String token, long count, long bound,
			long affordable) throws SQLException {
		Bridge bridge = (this.row != null) ? this.row.bridge() : null;
		if (bridge == null) {
			return Optional.empty();
		}
		long next = view.keySpace().nextOrdinal();
		OrdinalRange drawn = bridge.draw(this.connection, this.timeoutSeconds, this.database.dialect(), next, count);
		long end = Math.min(bound, Math.min(drawn.end(), drawn.start() + count));
		OrdinalRange range = new OrdinalRange(Math.min(drawn.start(), end), end);
		long charged = Math.max(range.size(), Math.min(end - next, affordable));
		Update update = fence().sql()
			.reserveDrawn(this.name, view.keySpace().definition(), view.fence().server(), token, range.start(),
					range.end(), charged, transactions().readyCondition());
		return (update.run(this.connection, this.timeoutSeconds) == 1)
				? Optional.of(new Reserved(range, token, view.fence().server())) : Optional.empty();
	}

	@Override
	public boolean giveBack(String definition, Reserved reserved, OrdinalRange range) throws SQLException {
		return fence().sql()
			.giveBack(this.name, definition, reserved.server(), reserved.token(), range.start(), range.end())
			.run(this.connection, this.timeoutSeconds) == 1;
	}

	@Override
	public boolean takeOver(KeySpaceView view, FenceLine line) throws SQLException {
		return fence().takeOver(this.connection, this.timeoutSeconds, this.name, view.fence(), line, "next_ordinal");
	}

	@Override
	public boolean followClock(FenceState state, FenceLine followed) throws SQLException {
		return fence().sql()
			.followClock(this.name, state, followed, fence().rules().lag())
			.run(this.connection, this.timeoutSeconds) == 1;
	}

	@Override
	public boolean changeRate(FenceState state, FenceLine changed) throws SQLException {
		return fence().sql().changeRate(this.name, state, changed).run(this.connection, this.timeoutSeconds) == 1;
	}

	@Override
	public boolean startRaise(FenceState state) throws SQLException {
		return fence().sql()
			.startRaise(this.name, state.line(), fence().rules().lag())
			.run(this.connection, this.timeoutSeconds) == 1;
	}

	@Override
	public void redefine(String knownDefinition, String replacement, long maxReserved, @Nullable String server)
			throws SQLException {
		if (fence().isOn() && server == null && maxReserved < Long.MAX_VALUE) {
			// the limit may have been checked on another server. After a fail-over, this
			// server may not know that ordinals beyond the limit are reserved
			return;
		}
		run(new Sql("update " + table() + " set definition = ? where name = ? and definition = ? and next_ordinal <= ?"
				+ transactions().andReadyCondition(), replacement, this.name, knownDefinition, maxReserved)
			.and((fence().isOn() && server != null)
					? new Sql(fence().andSameServer("incarnation") + " and incarnation = ?", server) : Sql.NONE));
	}

	@Override
	public void raiseCapacity(long capacity) throws SQLException {
		run(new Sql("update " + table() + " set capacity = ? where name = ? and capacity < ?", capacity, this.name,
				capacity));
	}

	@Override
	public void skip(long end) throws SQLException {
		run(new Sql("update " + table() + " set next_ordinal = ? where name = ? and next_ordinal < ?", end, this.name,
				end));
	}

	@Override
	public boolean count(long count) throws SQLException {
		return run(new Sql(
				"update " + table() + " set next_ordinal = next_ordinal + ? where name = ? and next_ordinal <= ?",
				count, this.name, Long.MAX_VALUE - count)) == 1;
	}

	private int run(Sql update) throws SQLException {
		return update.run(this.connection, this.timeoutSeconds);
	}

}
