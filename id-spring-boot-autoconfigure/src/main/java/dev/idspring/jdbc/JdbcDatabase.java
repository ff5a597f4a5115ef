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
import dev.idspring.block.StoreDescription;
import dev.idspring.clock.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The database that the stores share: which product it is, where the tables are, and how
 * to run a transaction in it. Behind any {@link DataSource}.
 *
 * @since 0.1.0
 */
public final class JdbcDatabase {

	private final JdbcTransactions transactions;

	private final TableNames tables;

	private final @Nullable String platform;

	private volatile Dialect dialect = Dialect.H2;

	private volatile StoreDescription description = new StoreDescription("jdbc", null, List.of());

	/**
	 * Create a database. Does no I/O: call {@link #open(Deadline)} before anything else.
	 * @param dataSource where the tables are
	 * @param tablePrefix what the names of the tables begin with, usually {@code ids_},
	 * perhaps preceded by the name of a schema and a dot
	 * @param platform which database to assume, as the schema scripts are named, or
	 * {@code null} to find out
	 * @throws IdSetupException if the prefix cannot be used
	 */
	public JdbcDatabase(DataSource dataSource, String tablePrefix, @Nullable String platform) {
		this.transactions = new JdbcTransactions(dataSource);
		this.tables = new TableNames(tablePrefix);
		this.platform = platform;
	}

	/**
	 * Find out what database this is, make sure that the tables are there, and that
	 * commits are durable.
	 * @param deadline how long this may take
	 * @throws IdSetupException if the database is unknown or a table is missing
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public void open(Deadline deadline) {
		identify(deadline);
		checkTable(this.tables.keySpace(), "name, definition, capacity, next_ordinal, next_slot, usage_history",
				deadline);
		checkTable(this.tables.slot(), "key_space, slot, next_position, end_position, owner, leased_at, lease_until",
				deadline);
	}

	/**
	 * Find out what database this is, and make sure that commits are durable.
	 */
	void identify(Deadline deadline) {
		String product = this.transactions.repeat("open the id store",
				(connection, timeout) -> connection.getMetaData().getDatabaseProductName(), deadline);
		this.dialect = dialect(product);
		this.transactions.setDialect(this.dialect);
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

	/**
	 * Make sure that a table is there and can be read.
	 */
	void checkTable(String table, String columns, Deadline deadline) {
		this.transactions.repeat("open the id store",
				(connection, timeout) -> checkTable(connection, timeout, table, columns), deadline);
	}

	private boolean checkTable(Connection connection, int timeout, String table, String columns) {
		String sql = "select " + columns + " from " + table + " where 1 = 0";
		try {
			query(connection, timeout, (row) -> row.getString(1), sql);
			return true;
		}
		catch (SQLException ex) {
			if (this.dialect.isRepeatable(ex.getSQLState(), ex.getErrorCode())) {
				throw new IdStoreUnavailableException("Cannot read table " + table + ": " + DriverMessages.of(ex),
						DriverMessages.cause(ex));
			}
			throw new IdSetupException(
					"Table " + table + " cannot be read, or a column is missing: " + DriverMessages.of(ex) + ".",
					"Set ids.jdbc.initialize-schema=always to have it created at start, or create it with the script"
							+ " dev/idspring/jdbc/schema-" + this.dialect.platform()
							+ ".sql, which is in the id-spring-boot-autoconfigure jar, and grant select, insert and"
							+ " update on it.",
					DriverMessages.cause(ex));
		}
	}

	/**
	 * Describe this database.
	 * @return what operators should know
	 */
	public StoreDescription describe() {
		return this.description;
	}

	JdbcTransactions transactions() {
		return this.transactions;
	}

	TableNames tables() {
		return this.tables;
	}

	Dialect dialect() {
		return this.dialect;
	}

	/**
	 * Run an update.
	 * @return how many rows were changed
	 */
	static int update(Connection connection, int timeoutSeconds, String sql, @Nullable Object... values)
			throws SQLException {
		return run(connection, timeoutSeconds, PreparedStatement::executeUpdate, sql, values);
	}

	/**
	 * Run a query.
	 * @return what was made of the rows
	 */
	static <T> List<T> query(Connection connection, int timeoutSeconds, Row<T> row, String sql,
			@Nullable Object... values) throws SQLException {
		return run(connection, timeoutSeconds, (statement) -> {
			try (ResultSet rows = statement.executeQuery()) {
				List<T> results = new ArrayList<>();
				while (rows.next()) {
					results.add(row.read(rows));
				}
				return results;
			}
		}, sql, values);
	}

	/**
	 * Run a query that has one row at most.
	 */
	static <T> Optional<T> queryOne(Connection connection, int timeoutSeconds, Row<T> row, String sql,
			@Nullable Object... values) throws SQLException {
		return query(connection, timeoutSeconds, row, sql, values).stream().findFirst();
	}

	private static <T> T run(Connection connection, int timeoutSeconds, Step<T> step, String sql,
			@Nullable Object... values) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			int timeoutBefore = statement.getQueryTimeout();
			statement.setQueryTimeout(timeoutSeconds);
			for (int i = 0; i < values.length; i++) {
				Object value = values[i];
				if (value instanceof Long number) {
					statement.setLong(i + 1, number);
				}
				else {
					statement.setString(i + 1, (String) value);
				}
			}
			try {
				return step.run(statement);
			}
			finally {
				// in H2 it belongs to the connection
				restoreQueryTimeout(statement, timeoutBefore);
			}
		}
	}

	private static void restoreQueryTimeout(PreparedStatement statement, int timeoutSeconds) {
		try {
			statement.setQueryTimeout(timeoutSeconds);
		}
		catch (SQLException ex) {
			// the connection is broken, or this is a driver that keeps it in the
			// statement
		}
	}

	/**
	 * Runs a statement.
	 */
	private interface Step<T> {

		T run(PreparedStatement statement) throws SQLException;

	}

	/**
	 * Makes something of a row.
	 *
	 * @param <T> what it makes
	 */
	interface Row<T> {

		T read(ResultSet row) throws SQLException;

	}

}
