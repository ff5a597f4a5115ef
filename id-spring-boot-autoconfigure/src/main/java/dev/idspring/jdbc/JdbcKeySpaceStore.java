package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.block.OrdinalRange;
import dev.idspring.block.StoreDescription;
import dev.idspring.block.StoredKeySpace;
import dev.idspring.clock.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Keeps key spaces in a table, one row each:
 *
 * <pre class="code">
 * name          the name of the key space, primary key
 * definition    what fixes the order of its keys
 * capacity      the highest upper bound any instance has asked for
 * next_ordinal  the first ordinal that is not reserved
 * next_slot     the first slot number that was never used (for strategies with slots)
 * </pre>
 *
 * Why no ordinal is reserved twice:
 * <ol>
 * <li>A reservation is one short READ COMMITTED transaction of its own that
 * <em>first</em> updates the row and then reads it. The update takes the row's lock, so
 * from there to the commit nobody else changes it, and what is read is what was
 * written.</li>
 * <li>The range is returned after the commit was acknowledged. If that is in doubt, the
 * ordinals are lost, and a repeated attempt reserves later ones.</li>
 * <li>Giving back is a compare-and-set from the end of the range to its start, attempted
 * once: had the first attempt succeeded without our knowing and somebody reserved the
 * range again, a second attempt could free what is in use.</li>
 * <li>The commit is on disk when it is acknowledged, as far as that can be brought about
 * from here; where it cannot, {@link #describe()} warns.</li>
 * </ol>
 * Behind any {@link DataSource}. Must be called on threads that are in no transaction of
 * their own, as the connection of such a thread may be bound to it.
 *
 * @since 0.1.0
 */
public final class JdbcKeySpaceStore implements KeySpaceStore {

	private final JdbcTransactions transactions;

	private final TableNames tables;

	private final @Nullable String platform;

	private volatile Dialect dialect = Dialect.H2;

	private volatile StoreDescription description = new StoreDescription("jdbc", null, List.of());

	/**
	 * Create a store. Does no I/O: call {@link #open(Deadline)} before anything else.
	 * @param dataSource where the table is
	 * @param tablePrefix what the name of the table begins with, usually {@code ids_},
	 * perhaps preceded by the name of a schema and a dot
	 * @param platform which database to assume, as the schema scripts are named, or
	 * {@code null} to find out
	 * @throws IdSetupException if the prefix cannot be used
	 */
	public JdbcKeySpaceStore(DataSource dataSource, String tablePrefix, @Nullable String platform) {
		this.transactions = new JdbcTransactions(dataSource);
		this.tables = new TableNames(tablePrefix);
		this.platform = platform;
	}

	/**
	 * Find out what database this is, make sure that the table is there, and that commits
	 * are durable.
	 * @param deadline how long this may take
	 * @throws IdSetupException if the database is unknown or the table is missing
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public void open(Deadline deadline) {
		String product = this.transactions.repeat("open the id store",
				(connection, timeout) -> connection.getMetaData().getDatabaseProductName(), deadline);
		this.dialect = dialect(product);
		this.transactions.setDialect(this.dialect);
		this.transactions.repeat("open the id store", (connection, timeout) -> {
			checkTable(connection, timeout);
			return true;
		}, deadline);
		List<String> warnings = this.transactions.repeat("open the id store", (connection, timeout) -> {
			List<String> found = new ArrayList<>();
			this.dialect.prepareDurability(connection, found);
			return found;
		}, deadline);
		this.description = new StoreDescription("jdbc", product, warnings);
	}

	private Dialect dialect(String product) {
		if (this.platform != null) {
			return Dialect.ofPlatform(this.platform)
				.orElseThrow(() -> new IdSetupException("ids.jdbc.platform is '" + this.platform + "'.",
						"Use one of " + Dialect.platforms() + ", or leave it unset."));
		}
		return Dialect.ofProduct(product)
			.orElseThrow(() -> new IdSetupException("The database '" + product + "' is not known to the id store.",
					"If it understands the SQL of a known one, set ids.jdbc.platform to one of " + Dialect.platforms()
							+ "; otherwise keep the ids in another database, whose DataSource is marked with"
							+ " @IdsDataSource."));
	}

	private void checkTable(Connection connection, int timeout) {
		String sql = "select name, definition, capacity, next_ordinal, next_slot from " + this.tables.keySpace()
				+ " where 1 = 0";
		try (PreparedStatement statement = prepare(connection, sql, timeout)) {
			statement.executeQuery().close();
		}
		catch (SQLException ex) {
			if (this.dialect.isRepeatable(ex.getSQLState(), ex.getErrorCode())) {
				throw new IdStoreUnavailableException("Cannot read table " + this.tables.keySpace() + ": " + ex, ex);
			}
			throw new IdSetupException(
					"Table " + this.tables.keySpace() + " cannot be read, or a column is missing: " + ex.getMessage()
							+ ".",
					"Set ids.jdbc.initialize-schema=always to have it created at start, or create it with the script"
							+ " dev/idspring/jdbc/schema-" + this.dialect.platform()
							+ ".sql, which is in the id-spring-boot-autoconfigure jar, and grant select, insert and"
							+ " update on it.",
					ex);
		}
	}

	@Override
	public StoreDescription describe() {
		return this.description;
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		Optional<StoredKeySpace> existing = read(name, deadline);
		if (existing.isPresent()) {
			return existing.get();
		}
		try {
			this.transactions.repeat("create key space '" + name + "'", (connection, timeout) -> {
				insert(connection, timeout, name, definition, capacity);
				return true;
			}, deadline);
		}
		catch (IdStoreUnavailableException ex) {
			// perhaps somebody else was a moment faster, or a failed attempt succeeded
			// after all
			return read(name, deadline).orElseThrow(() -> ex);
		}
		return new StoredKeySpace(name, definition, capacity, 0);
	}

	private void insert(Connection connection, int timeout, String name, String definition, long capacity)
			throws SQLException {
		String sql = "insert into " + this.tables.keySpace()
				+ " (name, definition, capacity, next_ordinal, next_slot) values (?, ?, ?, 0, 0)";
		try (PreparedStatement statement = prepare(connection, sql, timeout)) {
			statement.setString(1, name);
			statement.setString(2, definition);
			statement.setLong(3, capacity);
			statement.executeUpdate();
		}
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		String sql = "update " + this.tables.keySpace() + " set capacity = ? where name = ? and capacity < ?";
		this.transactions.repeat("raise the capacity of key space '" + name + "'",
				(connection, timeout) -> update(connection, timeout, sql, capacity, name, capacity), deadline);
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		return this.transactions.repeat("reserve ids of key space '" + name + "'", (connection, timeout) -> {
			this.dialect.beginReservation(connection, timeout);
			long wanted = count;
			while (true) {
				boolean moved = bound >= wanted && move(connection, timeout, name, wanted, bound - wanted);
				long next = nextOrdinal(connection, timeout, name);
				if (moved) {
					return new OrdinalRange(next - wanted, next);
				}
				long left = bound - next;
				if (left <= 0) {
					return new OrdinalRange(next, next);
				}
				// what is left, unless others are faster: then there is less
				wanted = Math.min(wanted, left);
			}
		}, deadline);
	}

	private boolean move(Connection connection, int timeout, String name, long count, long last) throws SQLException {
		String sql = "update " + this.tables.keySpace()
				+ " set next_ordinal = next_ordinal + ? where name = ? and next_ordinal <= ?";
		return update(connection, timeout, sql, count, name, last);
	}

	/**
	 * Run an update with a new value, a name, and a value to compare with.
	 * @return whether there was such a row
	 */
	private static boolean update(Connection connection, int timeout, String sql, long value, String name,
			long comparedWith) throws SQLException {
		try (PreparedStatement statement = prepare(connection, sql, timeout)) {
			statement.setLong(1, value);
			statement.setString(2, name);
			statement.setLong(3, comparedWith);
			return statement.executeUpdate() == 1;
		}
	}

	private long nextOrdinal(Connection connection, int timeout, String name) throws SQLException {
		return select(connection, timeout, name).map(StoredKeySpace::nextOrdinal)
			.orElseThrow(() -> new KeySpaceRegressionException("The row of key space '" + name + "' has vanished from "
					+ this.tables.keySpace() + ". If a backup from before its creation was restored, restart the"
					+ " application, skip the key space ahead of all ids that exist (--ids.skip-ahead.key-space=" + name
					+ " --ids.skip-ahead.by=<how many> --ids.skip-ahead.confirm=true), then restart all instances."));
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		String sql = "update " + this.tables.keySpace() + " set next_ordinal = ? where name = ? and next_ordinal = ?";
		return this.transactions.once("give back ids of key space '" + name + "'",
				(connection, timeout) -> update(connection, timeout, sql, range.start(), name, range.end()), deadline);
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		return this.transactions.repeat("read key space '" + name + "'",
				(connection, timeout) -> select(connection, timeout, name), deadline);
	}

	private Optional<StoredKeySpace> select(Connection connection, int timeout, String name) throws SQLException {
		String sql = "select name, definition, capacity, next_ordinal from " + this.tables.keySpace()
				+ " where name = ?";
		try (PreparedStatement statement = prepare(connection, sql, timeout)) {
			statement.setString(1, name);
			try (ResultSet rows = statement.executeQuery()) {
				return rows.next() ? Optional
					.of(new StoredKeySpace(rows.getString(1), rows.getString(2), rows.getLong(3), rows.getLong(4)))
						: Optional.empty();
			}
		}
	}

	private static PreparedStatement prepare(Connection connection, String sql, int timeoutSeconds)
			throws SQLException {
		PreparedStatement statement = connection.prepareStatement(sql);
		statement.setQueryTimeout(timeoutSeconds);
		return statement;
	}

}
