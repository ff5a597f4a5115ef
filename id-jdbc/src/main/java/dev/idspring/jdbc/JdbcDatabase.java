package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.StoreDescription;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The database that the stores share: which product it is, where the tables are, and how
 * to run a transaction in it. Behind any {@link DataSource}.
 *
 * @since 0.1.0
 */
public final class JdbcDatabase {

	private static final String KEY_SPACE_COLUMNS = "name, definition, capacity, next_ordinal, next_slot,"
			+ " usage_history, incarnation, fenced_slot, fenced_end, fenced_until, line_time, line_rate,"
			+ " line_raised_rate, line_raised_at, line_held_until";

	private static final String SLOT_COLUMNS = "key_space, slot, next_position, end_position, owner, token, leased_at,"
			+ " lease_until";

	/** The class of SQLStates of what is not known or not allowed. */
	private static final String ACCESS_RULE_VIOLATION = "42";

	/** How many rows are read at once when the store is opened. */
	private static final int MOST_FOUND = 1_000;

	private final JdbcTransactions transactions;

	private final TableNames tables;

	private final JdbcSettings settings;

	/** Rows as they were when the store was opened, until they are asked for. */
	private final ConcurrentMap<String, KeySpaceRow> found = new ConcurrentHashMap<>();

	private volatile @Nullable Deadline foundUntil;

	private volatile FailoverFence fence;

	private volatile Dialect dialect = Dialect.H2;

	private volatile StoreDescription description = new StoreDescription("jdbc", null, List.of());

	/**
	 * Create a database. Does no I/O: call {@link #open(Deadline)} before anything else.
	 * @param dataSource where the tables are
	 * @param settings how they are used
	 * @throws IdSetupException if the prefix cannot be used
	 */
	public JdbcDatabase(DataSource dataSource, JdbcSettings settings) {
		this.transactions = new JdbcTransactions(dataSource, settings.synchronousCommit(), settings.prepared(),
				this::dialect);
		this.tables = new TableNames(settings.tablePrefix());
		this.settings = settings;
		this.fence = new FailoverFence(this.tables, this.dialect, null, 0, FailoverFence.DEFAULT_LAG);
	}

	/**
	 * Find out what database this is, make sure that the tables are there, and that
	 * commits are durable.
	 * @param deadline how long this may take
	 * @throws IdSetupException if the database is unknown or a table is missing
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public void open(Deadline deadline) {
		if (!openAtOnce(deadline)) {
			identify(deadline);
			checkTable(this.tables.keySpace(), KEY_SPACE_COLUMNS, deadline);
			checkTable(this.tables.slot(), SLOT_COLUMNS, deadline);
		}
	}

	/**
	 * Ask for everything at once.
	 * @return whether that was possible; if not, each step says what is wrong
	 */
	private boolean openAtOnce(Deadline deadline) {
		try {
			return this.transactions.open("open the id store", (connection, timeout) -> {
				this.dialect = dialect(connection.getMetaData().getDatabaseProductName());
				String durability = this.dialect.durability();
				return durability != null && this.settings.synchronousCommit() == null
						&& openAtOnce(connection, timeout, durability, deadline);
			}, deadline);
		}
		catch (UnreadableException ex) {
			return false;
		}
	}

	private boolean openAtOnce(Connection connection, int timeout, String durability, Deadline deadline)
			throws SQLException {
		FailoverFence fence = fence(this.dialect.incarnation());
		// another server's rows are left to those who know what to do about it
		String sql = "select " + durability + ", (select count(*) from ("
				+ this.dialect.notTransactional(this.tables).text() + ") wrong), (select count(*) from (select "
				+ KEY_SPACE_COLUMNS + " from " + this.tables.keySpace()
				+ " where 1 = 0) key_spaces), (select count(*) from (select " + SLOT_COLUMNS + " from "
				+ this.tables.slot() + " where 1 = 0) slots), " + this.dialect.variables() + ", "
				+ KeySpaceRow.columns(this.tables, "", fence) + " from (select 1 as one) opened left join "
				+ this.tables.keySpace() + " on 1 = 1" + fence.andSameServer() + " limit " + MOST_FOUND;
		List<String> warnings = new ArrayList<>();
		Map<String, KeySpaceRow> rows = new HashMap<>();
		Map<String, String> variables = new HashMap<>();
		List<Boolean> right = queryAtOnce(connection, timeout, sql, (row) -> {
			this.dialect.warnOfDurability(row.getString(1), warnings);
			variables.putAll(Dialect.variables(row.getString(5)));
			String name = row.getString(6);
			if (name != null) {
				rows.put(name, KeySpaceRow.read(row, 6, fence(this.dialect.incarnation(variables))));
			}
			return row.getLong(2) == 0;
		});
		if (!right.get(0)) {
			return false;
		}
		if (this.dialect.canLimitSilence(variables)) {
			this.transactions.setIdleTransactionTimeout();
		}
		useServerIdentity(this.dialect.incarnation(variables));
		this.description = new StoreDescription("jdbc", connection.getMetaData().getDatabaseProductName(),
				warnings.stream().distinct().toList());
		this.foundUntil = deadline;
		this.found.putAll(rows);
		return true;
	}

	private <T> List<T> queryAtOnce(Connection connection, int timeout, String sql, Row<T> row) throws SQLException {
		boolean own = this.settings.prepared();
		try {
			return queryAfter(own ? this.dialect.prepareAtOnce() : "", connection, timeout, row,
					sql + (own ? this.dialect.commitAtOnce() : ""));
		}
		catch (SQLException ex) {
			if (this.dialect.isRepeatable(ex.getSQLState(), ex.getErrorCode())) {
				throw ex;
			}
			throw new UnreadableException(ex);
		}
	}

	/**
	 * Return the row of a key space as it was found when the store was opened. Once, and
	 * only as long as opening might have taken.
	 */
	Optional<KeySpaceRow> takeFound(String name) {
		Deadline until = this.foundUntil;
		return Optional.ofNullable(this.found.remove(name)).filter((row) -> until != null && !until.hasPassed());
	}

	/**
	 * Find out what database this is, and make sure that commits are durable.
	 */
	void identify(Deadline deadline) {
		SynchronousCommit wanted = this.settings.synchronousCommit();
		StoreDescription found = this.transactions.repeat("open the id store", (connection, timeout) -> {
			String product = connection.getMetaData().getDatabaseProductName();
			this.dialect = dialect(product);
			if (wanted != null && !this.dialect.knows(wanted)) {
				throw new InvalidSettingException(JdbcSettings.class, "synchronousCommit", wanted.id(),
						"must be unset, as the database is " + product + ": it is a setting of PostgreSQL, other"
								+ " databases are told what a commit waits for by their own settings");
			}
			List<String> warnings = new ArrayList<>();
			this.dialect.prepareDurability(connection, warnings);
			verifyTransactional(connection, timeout);
			if (this.dialect.canLimitSilence(this.dialect.variables(connection))) {
				this.transactions.setIdleTransactionTimeout();
			}
			if (wanted != null) {
				this.dialect.prepareReservations(connection, wanted, warnings);
			}
			return new StoreDescription("jdbc", product, warnings);
		}, deadline);
		List<String> warnings = new ArrayList<>(found.warnings());
		useServerIdentity(incarnation(warnings, deadline));
		this.description = new StoreDescription("jdbc", found.database(), warnings);
	}

	private void verifyTransactional(Connection connection, int timeout) throws SQLException {
		Sql query = this.dialect.notTransactional(this.tables);
		List<String[]> wrong = query.text().isEmpty() ? List.of() : query(connection, timeout,
				(row) -> new String[] { row.getString(1), row.getString(2) }, query.text(), query.values());
		if (!wrong.isEmpty()) {
			String table = wrong.get(0)[0];
			throw new IdSetupException(
					"Table " + table + " has no transactions or loses rows: it is of kind " + wrong.get(0)[1]
							+ ". Ids would repeat.",
					"Stop all instances, run '" + this.dialect.makeTransactional(table) + "', and start them again.");
		}
	}

	/**
	 * Find out how to tell servers apart. Where that is not allowed, everything else
	 * works all the same.
	 */
	private @Nullable String incarnation(List<String> warnings, Deadline deadline) {
		if (this.settings.failoverMargin() == 0) {
			return null;
		}
		try {
			return this.transactions.repeat("open the id store", (connection, timeout) -> {
				String sql = this.dialect.incarnation(this.dialect.variables(connection));
				if (sql != null) {
					probe(connection, timeout, "select " + sql, (row) -> true);
				}
				return Optional.ofNullable(sql);
			}, deadline).orElse(null);
		}
		catch (UnreadableException ex) {
			warnings.add("A fail-over to another server will not be noticed, because the server does not answer "
					+ this.dialect.incarnation() + ": " + SqlFailure.describe(ex.failure));
			return null;
		}
	}

	private static <T> List<T> probe(Connection connection, int timeout, String sql, Row<T> row) throws SQLException {
		try {
			return query(connection, timeout, row, sql);
		}
		catch (SQLException ex) {
			if (ex.getSQLState() != null && ex.getSQLState().startsWith(ACCESS_RULE_VIOLATION)) {
				throw new UnreadableException(ex);
			}
			throw ex;
		}
	}

	/**
	 * Tell servers apart by an expression of SQL.
	 */
	void useServerIdentity(@Nullable String incarnation) {
		this.found.clear();
		this.fence = fence(incarnation);
	}

	private FailoverFence fence(@Nullable String incarnation) {
		return new FailoverFence(this.tables, this.dialect, incarnation, this.settings.failoverMargin(),
				this.settings.failoverLag());
	}

	private Dialect dialect(String product) {
		return (this.settings.platform() != null) ? Dialect.ofConfigured(this.settings.platform())
				: Dialect.recognised(product);
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
			this.transactions.read("open the id store",
					(connection, timeout) -> look(connection, timeout, table, columns), deadline);
			return null;
		}
		catch (UnreadableException ex) {
			return ex.failure;
		}
	}

	private boolean look(Connection connection, int timeout, String table, String columns) throws SQLException {
		String sql = "select " + columns + " from " + table + " where 1 = 0";
		try {
			query(connection, timeout, (row) -> row.getString(1), sql);
			return true;
		}
		catch (SQLException ex) {
			if (this.dialect.isRepeatable(ex.getSQLState(), ex.getErrorCode())) {
				throw ex;
			}
			throw new UnreadableException(ex);
		}
	}

	private IdSetupException missingTable(String table, SQLException failure) {
		String create = this.settings.created()
				? "ids.jdbc.initialize-schema is always, which did not help: grant select, insert and update on the table"
						+ " if it is there. Otherwise see that the script of ids.jdbc.schema creates it, or create it with"
				: "Set ids.jdbc.initialize-schema=always to have it created at start, or create it with";
		return new IdSetupException("Table " + table + " is missing or cannot be read: " + failure.getMessage() + ".",
				create + " the script " + script()
						+ (this.settings.created() ? "." : ", and grant select, insert and update on it."),
				failure);
	}

	private IdSetupException missingColumns(String table, List<String> missing, SQLException failure) {
		String names = String.join(", ", missing);
		return new IdSetupException(
				"Table " + table + " is there, but cannot be read: " + names + ((missing.size() > 1) ? " are" : " is")
						+ " missing, or may not be selected. " + failure.getMessage() + ".",
				"If the table is that of another application, set ids.jdbc.table-prefix to something else."
						+ " Otherwise add what the script " + script()
						+ " has: a table that exists is never changed at start.",
				failure);
	}

	private String script() {
		return "dev/idspring/jdbc/schema-" + this.dialect.platform() + ".sql, which --ids.command=schema prints";
	}

	/**
	 * Describe this database.
	 * @return what operators should know
	 */
	public StoreDescription describe() {
		return this.description;
	}

	/**
	 * Return the type of the column that a query selects. Does not wait for writers.
	 * @param what what is being done, for the message of a failure
	 * @param sql a query of one column
	 * @param deadline how long this may take
	 * @return one of {@link java.sql.Types}
	 * @throws IdStoreUnavailableException if the query failed, or had no answer in time
	 */
	public int columnType(String what, String sql, Deadline deadline) {
		return this.transactions.look(what, (connection, timeout) -> run(connection, timeout, (statement) -> {
			try (ResultSet rows = statement.executeQuery()) {
				return rows.getMetaData().getColumnType(1);
			}
		}, sql), deadline);
	}

	/**
	 * Return the values of the column that a query selects. Does not wait for writers.
	 * @param what what is being done, for the message of a failure
	 * @param sql a query of one column
	 * @param deadline how long this may take
	 * @param values the parameters of the query, each a {@code Long} or a {@code String}
	 * @return the values that are not null, as texts
	 * @throws IdStoreUnavailableException if the query failed, or had no answer in time
	 */
	public List<String> readColumn(String what, String sql, Deadline deadline, Object... values) {
		List<Optional<String>> read = this.transactions.look(what, (connection, timeout) -> query(connection, timeout,
				(row) -> Optional.ofNullable(row.getString(1)), sql, values), deadline);
		return read.stream().flatMap(Optional::stream).toList();
	}

	JdbcTransactions transactions() {
		return this.transactions;
	}

	TableNames tables() {
		return this.tables;
	}

	FailoverFence fence() {
		return this.fence;
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
				return read(rows, row);
			}
		}, sql, values);
	}

	/**
	 * Run a query after another one whose result does not matter, in one round trip.
	 * @param prelude the other one with a semicolon behind it, or an empty text
	 * @return what was made of the rows
	 */
	static <T> List<T> queryAfter(String prelude, Connection connection, int timeoutSeconds, Row<T> row, String sql,
			@Nullable Object... values) throws SQLException {
		if (prelude.isEmpty()) {
			return query(connection, timeoutSeconds, row, sql, values);
		}
		return run(connection, timeoutSeconds, (statement) -> {
			statement.execute();
			statement.getMoreResults();
			try (ResultSet rows = statement.getResultSet()) {
				return read(rows, row);
			}
		}, prelude + sql, values);
	}

	private static <T> List<T> read(ResultSet rows, Row<T> row) throws SQLException {
		List<T> results = new ArrayList<>();
		while (rows.next()) {
			results.add(row.read(rows));
		}
		return results;
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
	private static final class UnreadableException extends IdGenerationException {

		private static final long serialVersionUID = 1L;

		private final SQLException failure;

		UnreadableException(SQLException failure) {
			super("A table cannot be read", failure);
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
