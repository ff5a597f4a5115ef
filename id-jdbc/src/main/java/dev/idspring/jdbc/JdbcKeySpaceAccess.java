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
 * Reads and changes the row of one key space in one transaction. The statements are in
 * {@link ReservationSql}.
 */
final class JdbcKeySpaceAccess implements KeySpaceAccess<SQLException> {

	private final JdbcDatabase database;

	private final Connection connection;

	private final int timeout;

	private final String name;

	/** The row, as it was read last. */
	private @Nullable KeySpaceRow row;

	JdbcKeySpaceAccess(JdbcDatabase database, Connection connection, int timeout, String name) {
		this.database = database;
		this.connection = connection;
		this.timeout = timeout;
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
	 * Read the row before a change, with a lock if the dialect has one. This may be the
	 * first statement of the transaction, so it also sets up and checks the session.
	 */
	@Override
	public Optional<KeySpaceView> view() throws SQLException {
		Optional<KeySpaceRow> found = KeySpaceRow.select(this.database, this.connection, this.timeout, this.name,
				transactions().prelude(this.connection), this.database.dialect().currentReadClause());
		this.row = found.orElse(null);
		if (found.isPresent() && !found.get().sessionIsReady()) {
			throw transactions().resetSession();
		}
		found.ifPresent((row) -> this.database.remember(this.name, row.bridge()));
		return found.map(KeySpaceRow::view);
	}

	@Override
	public Optional<Reserved> reserve(String definition, @Nullable String server, String token, long count, long bound)
			throws SQLException {
		if (this.database.isBridged(this.name) || (fence().isOn() && server == null)) {
			// the caller must read the row first
			return Optional.empty();
		}
		OptionalLong end = CounterUpdate.advance(this.connection, this.timeout, this.database.dialect(),
				transactions().prelude(this.connection), table(), "next_ordinal", fence().sql()
					.reserve(this.name, definition, server, token, count, bound, transactions().sessionIsReady()));
		return end.isPresent()
				? Optional.of(new Reserved(new OrdinalRange(end.getAsLong() - count, end.getAsLong()), token, server))
				: Optional.empty();
	}

	/**
	 * Reserve ordinals from a bridge. The row has been locked by {@link #view}, so other
	 * instances draw from the source only afterwards. The fence also charges the numbers
	 * that are skipped.
	 */
	@Override
	public Optional<Reserved> reserveFromBridge(KeySpaceView view, String token, long count, long bound,
			long affordable) throws SQLException {
		Bridge bridge = (this.row != null) ? this.row.bridge() : null;
		if (bridge == null) {
			return Optional.empty();
		}
		long next = view.keySpace().nextOrdinal();
		OrdinalRange drawn = bridge.draw(this.connection, this.timeout, this.database.dialect(), next, count);
		long end = Math.min(bound, Math.min(drawn.end(), drawn.start() + count));
		OrdinalRange range = new OrdinalRange(Math.min(drawn.start(), end), end);
		long paid = Math.max(range.size(), Math.min(end - next, affordable));
		Update update = fence().sql()
			.reserveDrawn(this.name, view.keySpace().definition(), view.fence().server(), token, range.start(),
					range.end(), paid, transactions().sessionIsReady());
		return (update.run(this.connection, this.timeout) == 1)
				? Optional.of(new Reserved(range, token, view.fence().server())) : Optional.empty();
	}

	@Override
	public boolean giveBack(String definition, Reserved reserved, OrdinalRange range) throws SQLException {
		return fence().sql()
			.giveBack(this.name, definition, reserved.server(), reserved.token(), range.start(), range.end())
			.run(this.connection, this.timeout) == 1;
	}

	@Override
	public boolean takeOver(KeySpaceView view, FenceLine line) throws SQLException {
		return fence().takeOver(this.connection, this.timeout, this.name, view.fence(), line, "next_ordinal");
	}

	@Override
	public boolean followClock(FenceState state, FenceLine followed) throws SQLException {
		return fence().sql().followClock(this.name, state.line(), followed).run(this.connection, this.timeout) == 1;
	}

	@Override
	public boolean changeRate(FenceState state, FenceLine changed) throws SQLException {
		return fence().sql().changeRate(this.name, state.line(), changed).run(this.connection, this.timeout) == 1;
	}

	@Override
	public void redefine(String known, String replacement, long most, @Nullable String server) throws SQLException {
		if (fence().isOn() && server == null && most < Long.MAX_VALUE) {
			// the server is unknown, so the limit may have been checked on another
			// server
			return;
		}
		change(new Sql(
				"update " + table() + " set definition = ? where name = ? and definition = ? and next_ordinal <= ?"
						+ transactions().andSessionIsReady(),
				replacement, this.name, known, most)
			.and((fence().isOn() && server != null)
					? new Sql(fence().andSameServer("incarnation") + " and incarnation = ?", server) : Sql.NONE));
	}

	@Override
	public void raiseCapacity(long capacity) throws SQLException {
		change(new Sql("update " + table() + " set capacity = ? where name = ? and capacity < ?", capacity, this.name,
				capacity));
	}

	@Override
	public void skip(long end) throws SQLException {
		change(new Sql("update " + table() + " set next_ordinal = ? where name = ? and next_ordinal < ?", end,
				this.name, end));
	}

	@Override
	public boolean count(long count) throws SQLException {
		return change(new Sql(
				"update " + table() + " set next_ordinal = next_ordinal + ? where name = ? and next_ordinal <= ?",
				count, this.name, Long.MAX_VALUE - count)) == 1;
	}

	private int change(Sql update) throws SQLException {
		return SqlStatements.update(this.connection, this.timeout, update.text(), update.values());
	}

}
