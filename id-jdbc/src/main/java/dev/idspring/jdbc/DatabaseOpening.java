package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.jdbc.JdbcTransactions.LentConnectionException;
import dev.idspring.jdbc.SqlStatements.Row;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Opens the database of an id store. This class verifies that the tables exist and can be
 * changed, and checks whether commits are durable. It also finds an SQL expression that
 * identifies the server, so that the store can detect a fail-over. If possible, one query
 * does all of this, in a single round trip on the store's own connections. Otherwise, or
 * if a check fails, the checks run as separate steps, each with its own error message.
 */
record DatabaseOpening(JdbcTransactions transactions, TableNames tables, JdbcSettings settings) {

	private static final String KEY_SPACE_COLUMNS = "name, definition, capacity, next_ordinal, next_slot,"
			+ " usage_history, reservation, bridge, incarnation, fenced_slot, fenced_end, fenced_until, line_time, line_rate,"
			+ " line_raised_rate, line_raised_at, line_held_until";

	private static final String SLOT_COLUMNS = "key_space, " + JdbcSlotAccess.COLUMNS;

	/** The class of the SQLStates for unknown names and missing privileges. */
	private static final String ACCESS_RULE_VIOLATION = "42";

	/** H2's SQLState for missing privileges. */
	private static final String NOT_ENOUGH_RIGHTS = "90096";

	/**
	 * The maximum number of key space rows to read while the store opens.
	 */
	private static final int MAX_ROWS = 1_000;

	private static final String RUN_SCHEMA = "run the application with --ids.command=schema --ids.schema.confirm=true";

	/**
	 * Open the database, and check the tables of key spaces and slots (series or nodes).
	 */
	Opened open(Deadline deadline) {
		Optional<Opened> opened = openWithOneQuery(deadline);
		if (opened.isPresent()) {
			return opened.get();
		}
		Opened withoutRows = identify(deadline);
		checkTable(this.tables.keySpace(), KEY_SPACE_COLUMNS, deadline);
		checkTable(this.tables.slot(), SLOT_COLUMNS, deadline);
		return withoutRows;
	}

	/**
	 * Check everything with one query and, if the query cannot test privileges, with
	 * statements that test them. On the store's own connections, this takes a single
	 * round trip.
	 * @return the result, or empty if one query is not possible or a check fails
	 */
	private Optional<Opened> openWithOneQuery(Deadline deadline) {
		try {
			return this.transactions.open("open the id store", (connection, timeout) -> {
				String durability = dialect().durabilityExpression();
				return (durability != null && this.settings.synchronousCommit() == null)
						? openWithOneQuery(connection, timeout, durability) : Optional.empty();
			}, deadline);
		}
		catch (UnreadableException | LentConnectionException ex) {
			return Optional.empty();
		}
	}

	private Optional<Opened> openWithOneQuery(Connection connection, int timeout, String durability)
			throws SQLException {
		FailoverFence fence = fence(dialect().serverIdentity());
		String missingRights = dialect().missingRightsExpression(this.tables);
		// omit rows that another server wrote last: the store detects the fail-over when
		// it reads such a row later
		String sql = "select " + durability + ", (select count(*) from ("
				+ dialect().nonTransactionalTables(this.tables).text() + ") wrong) + "
				+ ((missingRights != null) ? missingRights : "0") + ", (select count(*) from (select "
				+ KEY_SPACE_COLUMNS + " from " + this.tables.keySpace()
				+ " where 1 = 0) key_spaces), (select count(*) from (select " + SLOT_COLUMNS + " from "
				+ this.tables.slot() + " where 1 = 0) slots), " + dialect().variablesExpression() + ", "
				+ KeySpaceRow.columns(this.tables, "", fence) + " from (select 1 as one) opened left join "
				+ this.tables.keySpace() + " on 1 = 1" + fence.andSameServer("incarnation") + " limit " + MAX_ROWS;
		List<String> warnings = new ArrayList<>();
		Map<String, KeySpaceRow> rows = new HashMap<>();
		Map<String, String> variables = new HashMap<>();
		List<String> probes = (missingRights != null) ? List.of()
				: Stream
					.concat(privilegeProbes(this.tables.keySpace(), KEY_SPACE_COLUMNS).values().stream(),
							privilegeProbes(this.tables.slot(), SLOT_COLUMNS).values().stream())
					.toList();
		List<Boolean> tableChecks = queryWithProbes(connection, timeout, sql, probes, (row) -> {
			dialect().warnOfDurability(row.getString(1), warnings);
			variables.putAll(dialect().parseVariables(row.getString(5)));
			String name = row.getString(6);
			if (name != null) {
				rows.put(name, KeySpaceRow.read(row, 6, fence(dialect().serverIdentity(variables))));
			}
			return row.getLong(2) == 0;
		});
		if (!tableChecks.get(0) || (this.settings.failoverMargin() > 0 && !dialect().isIncarnationPublic(variables))) {
			return Optional.empty();
		}
		useVariables(variables, warnings);
		return Optional.of(new Opened(
				dialect().serverIdentity(variables), new StoreDescription("jdbc",
						connection.getMetaData().getDatabaseProductName(), warnings.stream().distinct().toList()),
				rows));
	}

	/**
	 * Run a query, and statements that test privileges without changing anything. If
	 * possible, run all of them in one round trip.
	 */
	private <T> List<T> queryWithProbes(Connection connection, int timeout, String sql, List<String> probes, Row<T> row)
			throws SQLException {
		try {
			if (this.settings.prepared()) {
				String all = Stream.concat(Stream.of(sql), probes.stream()).collect(Collectors.joining("; "));
				return SqlStatements.queryAfter(this.transactions.openingPrelude(connection), connection, timeout, row,
						all + dialect().openingCommit());
			}
			for (String probe : probes) {
				SqlStatements.update(connection, timeout, probe);
			}
			return SqlStatements.query(connection, timeout, row, sql);
		}
		catch (SQLException ex) {
			if (dialect().isRepeatable(ex.getSQLState(), ex.getErrorCode())) {
				throw ex;
			}
			throw new UnreadableException(ex);
		}
	}

	/**
	 * Identify the database, make commits durable or warn if they are not, and verify
	 * that the tables are transactional.
	 */
	Opened identify(Deadline deadline) {
		SynchronousCommit wanted = this.settings.synchronousCommit();
		List<String> warnings = new ArrayList<>();
		Map<String, String> variables = new HashMap<>();
		String product = this.transactions.repeat("open the id store", (connection, timeout) -> {
			String name = connection.getMetaData().getDatabaseProductName();
			if (wanted != null && !dialect().supports(wanted)) {
				throw new InvalidSettingException(JdbcSettings.class, "synchronousCommit", wanted.propertyValue(),
						"must be unset, because the database is " + name + ": only PostgreSQL has this setting. On"
								+ " other databases, their own settings determine what a commit waits for");
			}
			// an earlier attempt may have added warnings and variables
			warnings.clear();
			variables.clear();
			if (!dialect().isTested()) {
				warnings.add("The id store is untested on " + name + " with the dialect of " + dialect().platform()
						+ ": test the application on this database before you rely on its ids");
			}
			dialect().prepareDurability(connection, warnings);
			verifyTransactional(connection, timeout);
			variables.putAll(dialect().readVariables(connection));
			useVariables(variables, warnings);
			if (wanted != null) {
				dialect().checkSynchronousCommit(connection, wanted, warnings);
			}
			return name;
		}, deadline);
		String incarnation = incarnation(variables, warnings, deadline);
		return new Opened(incarnation, new StoreDescription("jdbc", product, warnings), Map.of());
	}

	private void useVariables(Map<String, String> variables, List<String> warnings) {
		dialect().warnOfLag(variables, warnings);
		if (dialect().canLimitIdleTime(variables)) {
			this.transactions.enableIdleTransactionTimeout();
		}
	}

	/**
	 * Identify the database without further checks and without changing any settings.
	 */
	Opened identifyForReading(Deadline deadline) {
		return this.transactions.read("identify the database", (connection, timeout) -> new Opened(null,
				new StoreDescription("jdbc", connection.getMetaData().getDatabaseProductName(), List.of()), Map.of()),
				deadline);
	}

	private void verifyTransactional(Connection connection, int timeout) throws SQLException {
		Sql query = dialect().nonTransactionalTables(this.tables);
		List<String[]> nonTransactional = query.text().isEmpty() ? List.of() : SqlStatements.query(connection, timeout,
				(row) -> new String[] { row.getString(1), row.getString(2) }, query.text(), query.values());
		if (!nonTransactional.isEmpty()) {
			String table = this.tables.schema().map((schema) -> schema + ".").orElse("") + nonTransactional.get(0)[0];
			String kind = nonTransactional.get(0)[1];
			if (kind.equals(Dialect.TEMPORARY)) {
				throw new IdSetupException(
						"Table " + table + " is a temporary table of this session and hides the permanent one. Ids"
								+ " would repeat.",
						"Remove the statement that creates it, or set ids.jdbc.table-prefix to the schema and the"
								+ " prefix of the permanent table.");
			}
			throw new IdSetupException(
					"Table " + table + " does not support transactions or may lose rows (kind: " + kind
							+ "). Ids would repeat.",
					"Stop all instances, run '" + dialect().transactionalStatement(table) + "', and start them again.");
		}
	}

	/**
	 * Return an SQL expression that identifies the server. If the database user lacks the
	 * privilege for it, add a warning instead of failing.
	 */
	private @Nullable String incarnation(Map<String, String> variables, List<String> warnings, Deadline deadline) {
		String sql = (this.settings.failoverMargin() > 0) ? dialect().serverIdentity(variables) : null;
		if (sql == null) {
			return null;
		}
		try {
			this.transactions.repeat("open the id store",
					(connection, timeout) -> query(connection, timeout, "select " + sql, (row) -> true), deadline);
			return sql;
		}
		catch (UnreadableException ex) {
			return dialect().incarnationWithoutRights(variables, SqlFailure.describe(ex.failure), warnings);
		}
	}

	private static <T> List<T> query(Connection connection, int timeout, String sql, Row<T> row) throws SQLException {
		try {
			return SqlStatements.query(connection, timeout, row, sql);
		}
		catch (SQLException ex) {
			if (isDenied(ex)) {
				throw new UnreadableException(ex);
			}
			throw ex;
		}
	}

	private static boolean isDenied(SQLException ex) {
		String state = String.valueOf(ex.getSQLState());
		return state.startsWith(ACCESS_RULE_VIOLATION) || state.equals(NOT_ENOUGH_RIGHTS);
	}

	/**
	 * Verify the privileges to insert and update rows of a table, so that a missing
	 * privilege is reported at startup, not at the first reservation.
	 */
	private void verifyPrivileges(String table, String columns, Deadline deadline) {
		// on databases that lock whole tables, even an update of no rows would block
		// other transactions
		if (dialect().locksTables()) {
			return;
		}
		privilegeProbes(table, columns).forEach((right, change) -> this.transactions.repeat("open the id store",
				(connection, timeout) -> tryChange(connection, timeout, table, right, change), deadline));
	}

	private boolean tryChange(Connection connection, int timeout, String table, String right, String change)
			throws SQLException {
		try {
			SqlStatements.update(connection, timeout, change);
			return true;
		}
		catch (SQLException ex) {
			if (isDenied(ex)) {
				throw new IdSetupException(
						"User '" + connection.getMetaData().getUserName() + "' has no right to " + right + " table "
								+ table + ": " + SqlFailure.describe(ex) + ".",
						"Grant select, insert and update on table " + table + " to this user.", ex);
			}
			if (dialect().isRepeatable(ex.getSQLState(), ex.getErrorCode())) {
				throw ex;
			}
			// privileges are not the cause. If the failure persists, the first
			// reservation reports it
			return false;
		}
	}

	/**
	 * Return statements that change nothing, but fail without the privilege to insert or
	 * to update. The keys are the names of the privileges, as used in messages.
	 */
	private static Map<String, String> privilegeProbes(String table, String columns) {
		String column = columns.split(", ")[1];
		return Map.of("insert into",
				"insert into " + table + " (" + columns + ") select " + columns + " from " + table + " where 1 = 0",
				"update", "update " + table + " set " + column + " = " + column + " where 1 = 0");
	}

	/**
	 * Verify that a table exists, and that the user may read and change it.
	 */
	void checkTable(String table, String columns, Deadline deadline) {
		SQLException failure = findFailure(table, columns, deadline);
		if (failure == null) {
			verifyPrivileges(table, columns, deadline);
			return;
		}
		List<String> all = List.of(columns.split(", "));
		List<String> missing = all.stream().filter((column) -> findFailure(table, column, deadline) != null).toList();
		if (missing.isEmpty() || missing.size() == all.size()) {
			throw missingTable(table, failure);
		}
		throw missingColumns(table, missing, failure);
	}

	/**
	 * Return the failure of a query for columns, or {@code null} if the columns can be
	 * read. Each query runs in its own transaction, because a failure makes a PostgreSQL
	 * transaction unusable.
	 */
	private @Nullable SQLException findFailure(String table, String columns, Deadline deadline) {
		try {
			this.transactions.read("open the id store",
					(connection, timeout) -> selectNothing(connection, timeout, table, columns), deadline);
			return null;
		}
		catch (UnreadableException ex) {
			return ex.failure;
		}
	}

	private boolean selectNothing(Connection connection, int timeout, String table, String columns)
			throws SQLException {
		String sql = "select " + columns + " from " + table + " where 1 = 0";
		try {
			SqlStatements.query(connection, timeout, (row) -> row.getString(1), sql);
			return true;
		}
		catch (SQLException ex) {
			if (dialect().isRepeatable(ex.getSQLState(), ex.getErrorCode())) {
				throw ex;
			}
			throw new UnreadableException(ex);
		}
	}

	private IdSetupException missingTable(String table, SQLException failure) {
		String create = this.settings.created()
				? "If the table exists, grant select, insert and update on it. If it is missing and you run a command,"
						+ " first " + RUN_SCHEMA + ", because no other command creates tables. Otherwise"
						+ " ids.jdbc.initialize-schema=always did not create it: make sure that the script in"
						+ " ids.jdbc.schema creates the table, or create it with"
				: "Set ids.jdbc.initialize-schema=always to create the table at startup, " + RUN_SCHEMA
						+ ", or create it with";
		return new IdSetupException(
				"Table " + table + " is missing or cannot be read: " + SqlFailure.describe(failure) + ".",
				create + " the script " + script()
						+ (this.settings.created() ? "." : ", and grant select, insert and update on it.")
						+ this.tables.schema()
							.map((schema) -> " If '" + schema + "' is a reserved word, remove it from"
									+ " ids.jdbc.table-prefix, and " + TableNames.CURRENT_SCHEMA_REMEDY + ".")
							.orElse(""),
				failure);
	}

	private IdSetupException missingColumns(String table, List<String> missing, SQLException failure) {
		String names = String.join(", ", missing);
		return new IdSetupException(
				"Table " + table + " exists, but cannot be read: " + names + ((missing.size() > 1) ? " are" : " is")
						+ " missing, or this user may not select " + ((missing.size() > 1) ? "them" : "it")
						+ ". Cause: " + SqlFailure.describe(failure) + ".",
				"If the table belongs to another application, set ids.jdbc.table-prefix to another prefix."
						+ " Otherwise add the missing columns, as defined in the script " + script()
						+ ". An existing table is never changed at startup.",
				failure);
	}

	private String script() {
		return "dev/idspring/jdbc/schema-" + dialect().platform() + ".sql, which --ids.command=schema prints";
	}

	private FailoverFence fence(@Nullable String incarnation) {
		return new FailoverFence(this.tables, dialect(), incarnation, this.settings);
	}

	private Dialect dialect() {
		return this.transactions.dialect();
	}

	/**
	 * Passes an {@code SQLException} through {@link JdbcTransactions}, which would
	 * otherwise report an unavailable store.
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
	 * The result of opening a database.
	 *
	 * @param incarnation an SQL expression that identifies the server, or {@code null} if
	 * servers cannot or need not be distinguished
	 * @param description the name of the database, and warnings for operators
	 * @param rows the key space rows that were read, by name
	 */
	record Opened(@Nullable String incarnation, StoreDescription description, Map<String, KeySpaceRow> rows) {

	}

}
