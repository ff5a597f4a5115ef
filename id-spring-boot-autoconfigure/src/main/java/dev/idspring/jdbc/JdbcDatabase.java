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

	/** The column that tables from before 0.1.0 do not have. */
	private static final String USAGE_HISTORY = "usage_history";

	private final JdbcTransactions transactions;

	private final TableNames tables;

	private final @Nullable String platform;

	private final boolean created;

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
		this(dataSource, tablePrefix, platform, false);
	}

	/**
	 * Create a database whose tables may have been created at start.
	 * @param dataSource where the tables are
	 * @param tablePrefix what the names of the tables begin with, usually {@code ids_},
	 * perhaps preceded by the name of a schema and a dot
	 * @param platform which database to assume, as the schema scripts are named, or
	 * {@code null} to find out
	 * @param created whether the application is told to create the tables at start, which
	 * is then no remedy for one that is missing
	 * @throws IdSetupException if the prefix cannot be used
	 */
	public JdbcDatabase(DataSource dataSource, String tablePrefix, @Nullable String platform, boolean created) {
		this.transactions = new JdbcTransactions(dataSource);
		this.tables = new TableNames(tablePrefix);
		this.platform = platform;
		this.created = created;
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
		checkTable(this.tables.keySpace(), "name, definition, capacity, next_ordinal, next_slot, " + USAGE_HISTORY,
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
		return (this.platform != null) ? Dialect.ofConfigured(this.platform) : Dialect.recognised(product);
	}

	/**
	 * Make sure that a table is there and can be read.
	 */
	void checkTable(String table, String columns, Deadline deadline) {
		SQLException failure = failure(table, columns, deadline);
		if (failure == null) {
			return;
		}
		List<String> all = List.of(columns.split(", "));
		List<String> missing = all.stream().filter((column) -> failure(table, column, deadline) != null).toList();
		if (missing.isEmpty() || missing.size() == all.size()) {
			throw missingTable(table, failure);
		}
		throw missingColumns(table, missing, failure);
	}

	/**
	 * Return why columns cannot be read, or {@code null} if they can. Each look is a
	 * transaction of its own: on PostgreSQL one that failed can do nothing more.
	 */
	private @Nullable SQLException failure(String table, String columns, Deadline deadline) {
		try {
			this.transactions.repeat("open the id store",
					(connection, timeout) -> look(connection, timeout, table, columns), deadline);
			return null;
		}
		catch (UnreadableException ex) {
			return ex.failure;
		}
	}

	private boolean look(Connection connection, int timeout, String table, String columns) {
		String sql = "select " + columns + " from " + table + " where 1 = 0";
		try {
			query(connection, timeout, (row) -> row.getString(1), sql);
			return true;
		}
		catch (SQLException ex) {
			if (this.dialect.isRepeatable(ex.getSQLState(), ex.getErrorCode())) {
				throw new IdStoreUnavailableException("Cannot read table " + table + ": " + ex, ex);
			}
			throw new UnreadableException(ex);
		}
	}

	private IdSetupException missingTable(String table, SQLException failure) {
		String create = this.created
				? "ids.jdbc.initialize-schema is always, which did not help: grant select, insert and update on the table"
						+ " if it is there. Otherwise see that the script of ids.jdbc.schema creates it, or create it with"
				: "Set ids.jdbc.initialize-schema=always to have it created at start, or create it with";
		return new IdSetupException("Table " + table + " is missing or cannot be read: " + failure.getMessage() + ".",
				create + " the script " + script()
						+ (this.created ? "." : ", and grant select, insert and update on it."),
				failure);
	}

	private IdSetupException missingColumns(String table, List<String> missing, SQLException failure) {
		String names = String.join(", ", missing);
		boolean older = table.equals(this.tables.keySpace()) && missing.equals(List.of(USAGE_HISTORY));
		return new IdSetupException("Table " + table + " is there, but cannot be read: " + names + ((missing
			.size() > 1) ? " are" : " is") + " missing, or may not be selected. " + failure.getMessage() + ".", older
					? "The table was created by an older version, and a table that exists is never changed at start. Add"
							+ " the column: alter table " + table + " add " + USAGE_HISTORY
							+ " varchar(400) default '1' not null"
					: "If the table is that of another application, set ids.jdbc.table-prefix to something else."
							+ " Otherwise add what the script " + script()
							+ " has: a table that exists is never changed at start.",
				failure);
	}

	private String script() {
		return "dev/idspring/jdbc/schema-" + this.dialect.platform()
				+ ".sql, which is in the id-spring-boot-autoconfigure jar";
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
	 * Passes a failure through the transaction, which would report it as one of the
	 * database.
	 */
	private static final class UnreadableException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final SQLException failure;

		UnreadableException(SQLException failure) {
			super(failure);
			this.failure = failure;
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
