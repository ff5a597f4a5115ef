package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.rules.KeySpaceAccess;
import dev.idspring.store.rules.KeySpaceView;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the row of one key space in one transaction. The statements that
 * depend on the {@linkplain FailoverFence fence} are in {@link ReservationSql}.
 */
final class JdbcKeySpaceAccess extends FailoverFence.Access implements KeySpaceAccess<SQLException> {

	/** The row as last read by {@link #view}. */
	private @Nullable KeySpaceRow row;

	JdbcKeySpaceAccess(JdbcDatabase database, Connection connection, int timeout, String name) {
		super(database, connection, timeout, name);
	}

	private JdbcTransactions transactions() {
		return this.database.transactions();
	}

	private String table() {
		return this.database.tables().keySpace();
	}

	/**
	 * Read the row. If the dialect has a locking clause, lock the row for the changes
	 * that may follow. The query may be the first statement of the transaction, so the
	 * query also sets up and checks the session.
	 */
	@Override
	public Optional<KeySpaceView> view() throws SQLException {
		Optional<KeySpaceRow> found = KeySpaceRow.select(this.database, this.connection, this.timeout, this.keySpace,
				transactions().prelude(this.connection), this.database.dialect().currentReadClause());
		this.row = found.orElse(null);
		if (found.isPresent() && !found.get().sessionIsReady()) {
			throw transactions().onLostSettings();
		}
		found.ifPresent((row) -> this.database.rememberBridge(this.keySpace, row.bridge() != null));
		return found.map(KeySpaceRow::view);
	}

	@Override
	public Optional<Reserved> reserve(String definition, @Nullable String server, String token, long count, long bound)
			throws SQLException {
		if (this.database.isBridged(this.keySpace) || (fence().isOn() && server == null)) {
			// after an empty result, the caller reads the row, which shows the bridge and
			// the server
			return Optional.empty();
		}
		OptionalLong end = CounterUpdate.advance(this.connection, this.timeout, this.database.dialect(),
				transactions().prelude(this.connection), table(), "next_ordinal", fence().sql()
					.reserve(this.keySpace, definition, server, token, count, bound, transactions().readyCondition()));
		return end.isPresent()
				? Optional.of(new Reserved(new OrdinalRange(end.getAsLong() - count, end.getAsLong()), token, server))
				: Optional.empty();
	}

	/**
	 * Reserve ordinals from a bridge: the sequence or counter from which old instances
	 * draw. If the dialect has a locking clause, {@link #view} has locked the row, so no
	 * other instance that uses the key space can draw from the bridge until this
	 * transaction ends. Old instances, which do not use the key space, may still draw.
	 * The fence counts the ordinals of the range. It also counts the skipped ordinals
	 * from {@code next_ordinal} on, up to a total of {@code affordable} ordinals.
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
		long charged = Math.max(range.size(), Math.min(end - next, affordable));
		Update update = fence().sql()
			.reserveDrawn(this.keySpace, view.keySpace().definition(), view.fence().server(), token, range.start(),
					range.end(), charged, transactions().readyCondition());
		return changes(update) ? Optional.of(new Reserved(range, token, view.fence().server())) : Optional.empty();
	}

	@Override
	public boolean giveBack(String definition, Reserved reserved, OrdinalRange range) throws SQLException {
		return changes(fence().sql()
			.giveBack(this.keySpace, definition, reserved.server(), reserved.token(), range.start(), range.end()));
	}

	@Override
	public boolean takeOver(KeySpaceView view, FenceLine line) throws SQLException {
		return takeOver(view.fence(), line, "next_ordinal");
	}

	@Override
	public void redefine(String knownDefinition, String replacement, long maxReserved, @Nullable String server)
			throws SQLException {
		if (fence().isOn() && server == null && maxReserved < Long.MAX_VALUE) {
			// the limit may have been checked on another server. After a fail-over, this
			// server may lack reservations of ordinals beyond the limit
			return;
		}
		run(new Sql("update " + table() + " set definition = ? where name = ? and definition = ? and next_ordinal <= ?"
				+ transactions().andReadyCondition(), replacement, this.keySpace, knownDefinition, maxReserved)
			.append((fence().isOn() && server != null)
					? new Sql(fence().andSameServer("incarnation") + " and incarnation = ?", server) : Sql.NONE));
	}

	@Override
	public void raiseCapacity(long capacity) throws SQLException {
		run(new Sql("update " + table() + " set capacity = ? where name = ? and capacity < ?", capacity, this.keySpace,
				capacity));
	}

	@Override
	public void skip(long end) throws SQLException {
		run(new Sql("update " + table() + " set next_ordinal = ? where name = ? and next_ordinal < ?", end,
				this.keySpace, end));
	}

	@Override
	public boolean count(long count) throws SQLException {
		return run(new Sql(
				"update " + table() + " set next_ordinal = next_ordinal + ? where name = ? and next_ordinal <= ?",
				count, this.keySpace, Long.MAX_VALUE - count)) == 1;
	}

}
