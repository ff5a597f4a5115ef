package dev.idspring.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.Bridge.Counter;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.StoreArguments;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Creates key spaces for tables that already have keys, and ends their {@link Bridge
 * bridges}. Applications need this class only while they switch from another source of
 * keys.
 *
 * @since 0.1.0
 */
public final class AdoptedKeySpaces {

	private final JdbcKeySpaceStore store;

	private final JdbcDatabase database;

	/**
	 * Create an instance for the key spaces of a store.
	 * @param store the store
	 */
	public AdoptedKeySpaces(JdbcKeySpaceStore store) {
		this.store = InvalidSettingException.requireGiven(AdoptedKeySpaces.class, "store", store);
		this.database = store.database();
	}

	/**
	 * Create a key space for a table that already has keys. An unused key space with the
	 * same name is replaced. If a bridge is given, this method first draws from its
	 * source. If this draw fails, no key space is created.
	 * @param keySpace the key space, with the ordinal at which it begins
	 * @param bridge the bridge to the previous source of the keys. Ordinals come from
	 * this source until {@link #endBridge}. If {@code null}, ordinals come from the
	 * counter of the key space
	 * @param deadline the time by which the operation must end
	 * @return {@code true} if the key space was created, {@code false} if a key space
	 * with this name is in use
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public boolean adopt(StoredKeySpace keySpace, @Nullable Bridge bridge, Deadline deadline) {
		InvalidSettingException.requireGiven(AdoptedKeySpaces.class, "keySpace", keySpace);
		StoreArguments.create(keySpace.name(), keySpace.definition(), keySpace.capacity(), deadline);
		Optional<StoredKeySpace> existing = this.store.read(keySpace.name(), deadline);
		return transactions().once("create key space '" + keySpace.name() + "'", (connection, timeout) -> {
			if (bridge != null) {
				bridge.draw(connection, timeout, this.database.dialect(), keySpace.nextOrdinal(), 1);
			}
			Sql change = existing.isPresent()
					? replacement(existing.get(), keySpace, bridge).append(new Sql(transactions().andReadyCondition()))
					: this.store.insertStatement(keySpace, (bridge != null) ? bridge.text() : null);
			return change.run(connection, timeout) == 1;
		}, deadline);
	}

	/**
	 * Return the update that replaces a key space. The update changes nothing if the key
	 * space has been used, has a bridge, or no longer has the definition of
	 * {@code current}.
	 */
	private Sql replacement(StoredKeySpace current, StoredKeySpace replacement, @Nullable Bridge bridge) {
		return new Sql(
				"update " + this.database.tables().keySpace()
						+ " set definition = ?, capacity = ?, next_ordinal = ?, reservation = null,"
						+ " usage_history = ?, bridge = ? where name = ? and definition = ? and next_ordinal = 0"
						+ " and next_slot = 0 and bridge is null and not exists (select 1 from "
						+ this.database.tables().slot() + " where key_space = ?)",
				replacement.definition(), replacement.capacity(), replacement.nextOrdinal(),
				UsageHistory.empty().text(), (bridge != null) ? bridge.text() : null, current.name(),
				current.definition(), current.name());
	}

	/**
	 * Return whether {@link #adopt} can create or replace a key space: the key space does
	 * not exist, or has no reserved ids, no slots and no bridge.
	 * @param name the name of the key space
	 * @param deadline the time by which the operation must end
	 * @return {@code true} if the key space is unused or does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public boolean isUnused(String name, Deadline deadline) {
		return this.store.readRow(name, deadline)
			.map((row) -> row.keySpace().nextOrdinal() == 0 && !row.hasSlots() && row.bridge() == null)
			.orElse(true);
	}

	/**
	 * Return the statement with which an operator can remove a key space. The removal is
	 * safe only if none of the key space's ids is in use.
	 * @param name the name of the key space
	 * @return the SQL statement, with the configured name of the table
	 */
	public String removal(String name) {
		InvalidSettingException.requireGiven(AdoptedKeySpaces.class, "name", name);
		return "delete from " + this.database.tables().keySpace() + " where name = '" + name.replace("'", "''") + "';";
	}

	/**
	 * Read the position of a bridge's source without drawing from the source.
	 * @param bridge the bridge to the source
	 * @param deadline the time by which the operation must end
	 * @return the first ordinal that no instance can have drawn from the source yet
	 * @throws IdStoreUnavailableException if the source cannot be read
	 */
	public long firstUnused(Bridge bridge, Deadline deadline) {
		verifyArguments(bridge, deadline);
		return transactions().read("read " + bridge,
				(connection, timeout) -> bridge.firstUnused(connection, timeout, this.database.dialect()), deadline);
	}

	/**
	 * Return the key spaces whose bridges have the same source as the given bridge.
	 * @param bridge the bridge
	 * @param deadline the time by which the operation must end
	 * @return the names of the key spaces
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public List<String> bridged(Bridge bridge, Deadline deadline) {
		verifyArguments(bridge, deadline);
		return transactions()
			.read("read the bridges",
					(connection, timeout) -> SqlStatements.query(connection, timeout,
							(row) -> Bridge.parse(row.getString(2)).sharesSource(bridge) ? row.getString(1) : "",
							"select name, bridge from " + this.database.tables().keySpace()
									+ " where bridge is not null order by name"),
					deadline)
			.stream()
			.filter((name) -> !name.isEmpty())
			.toList();
	}

	/**
	 * Return the final value of the counter of a bridge. {@link #endBridge} can set the
	 * counter to this value, so that later draws fail if the counter
	 * {@linkplain #isLimited is limited}.
	 * @param bridge the bridge
	 * @param deadline the time by which the operation must end
	 * @return the final value, empty for a sequence
	 * @throws IdSetupException if the table of the counter does not support rollbacks
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public OptionalLong finalValue(Bridge bridge, Deadline deadline) {
		verifyArguments(bridge, deadline);
		Counter counter = bridge.counter();
		return (counter == null) ? OptionalLong.empty() : OptionalLong.of(transactions().read("read " + bridge,
				(connection, timeout) -> bridge.finalValue(connection, timeout, counter), deadline));
	}

	/**
	 * Test whether the database prevents the counter of a bridge from exceeding its
	 * {@linkplain #finalValue final value}, for example by a check constraint. The test
	 * sets the counter to a higher value and rolls back.
	 * @param bridge the bridge
	 * @param deadline the time by which the operation must end
	 * @return {@code true} if every draw fails once the counter has its final value;
	 * always {@code false} for a sequence
	 * @throws IdSetupException if the table of the counter does not support rollbacks
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public boolean isLimited(Bridge bridge, Deadline deadline) {
		verifyArguments(bridge, deadline);
		Counter counter = bridge.counter();
		return counter != null && transactions().repeat("try " + bridge,
				(connection, timeout) -> bridge.isLimited(connection, timeout, counter), deadline);
	}

	/**
	 * End the bridge of a key space. From then on, the ordinals come from the counter of
	 * the key space, which continues above all ordinals of the bridge. An old instance
	 * that can still draw from the source gets numbers that the key space also issues.
	 * @param name the name of the key space
	 * @param close whether to set the source to its {@linkplain #finalValue final value}
	 * in the same transaction, if the source is a counter. If the counter
	 * {@linkplain #isLimited is limited} to this value, every later draw from the source
	 * fails
	 * @param deadline the time by which the operation must end
	 * @return the ordinal at which the key space continues, empty if there was no bridge
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public OptionalLong endBridge(String name, boolean close, Deadline deadline) {
		StoreArguments.read(name, deadline);
		Dialect dialect = this.database.dialect();
		return transactions().repeat("end the bridge of key space '" + name + "'", (connection, timeout) -> {
			KeySpaceRow row = KeySpaceRow
				.select(this.database, connection, timeout, name, transactions().prelude(connection),
						dialect.currentReadClause())
				.orElseThrow(() -> this.store.missingKeySpace(name));
			Bridge bridge = row.bridge();
			if (bridge == null) {
				return OptionalLong.empty();
			}
			long drawn = bridge.draw(connection, timeout, dialect, row.keySpace().nextOrdinal(), 1).end();
			// a session may cache values of a sequence, so other sessions may have drawn
			// higher values before this draw
			long end = Math.max(drawn, bridge.firstUnused(connection, timeout, dialect));
			int updated = SqlStatements.update(connection, timeout,
					"update " + this.database.tables().keySpace() + " set next_ordinal = ?, reservation = null,"
							+ " bridge = null where name = ? and next_ordinal <= ?",
					end, name, end);
			if (updated == 0) {
				throw new SQLException("the key space was used in the meantime", CounterUpdate.SERIALIZATION_FAILURE);
			}
			Counter counter = bridge.counter();
			if (close && counter != null) {
				bridge.setToFinalValue(connection, timeout, counter);
			}
			return OptionalLong.of(end);
		}, deadline);
	}

	private static void verifyArguments(Bridge bridge, Deadline deadline) {
		InvalidSettingException.requireGiven(AdoptedKeySpaces.class, "bridge", bridge);
		InvalidSettingException.requireGiven(AdoptedKeySpaces.class, "deadline", deadline);
	}

	private JdbcTransactions transactions() {
		return this.database.transactions();
	}

}
