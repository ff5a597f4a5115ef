package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.ScopedGaplessStore.Interval;
import org.jspecify.annotations.Nullable;

/**
 * The differences between databases. This class uses standard SQL; a subclass overrides
 * what its database does differently. To add a database, extend this class, add a line
 * and a case to {@link Dialects}, and write {@code schema-<platform>.sql}. The rest is
 * optional; without {@link #incarnation} there is no fence after a fail-over. List the
 * platform in the metadata of {@code ids.jdbc.platform} and in {@code docs/database.md}.
 */
abstract class Dialect {

	/**
	 * How long a client may be idle in a transaction: longer than a slow network needs,
	 * and much shorter than others can wait.
	 */
	static final int IDLE_SECONDS = 3;

	/** The SQLState of a read-only server, to retry as it may be promoted soon. */
	static final String READ_ONLY = "25006";

	/** The remedy if the statement is not known. */
	static final String CASE_SENSITIVITY_REMEDY = "Give the column a collation that tells upper and lower case apart.";

	/**
	 * Serialization failures, deadlocks and lock timeouts; lost connections; servers that
	 * are stopping, starting, full, or read-only until a fail-over is complete; a
	 * transaction that was idle for too long, or lost as the driver reconnected.
	 */
	private static final Set<String> REPEATABLE_STATES = Set.of("40001", "40P01", "55P03", "25006", "25P03", "25S03",
			"40XL1", "40XL2");

	private static final List<String> REPEATABLE_CLASSES = List.of("08", "57P0", "53");

	private final String platform;

	private final String epochMillis;

	private final Set<Integer> repeatableCodes;

	/**
	 * Create a dialect.
	 * @param platform how its script is named
	 * @param epochMillis reads the database's clock, in whole milliseconds since 1970 in
	 * UTC, whatever the time zone of the session. Never a timestamp: drivers and sessions
	 * do not agree on time zones
	 * @param repeatableCodes vendor codes of failures that are worth repeating
	 */
	Dialect(String platform, String epochMillis, Integer... repeatableCodes) {
		this.platform = platform;
		this.epochMillis = epochMillis;
		this.repeatableCodes = Set.of(repeatableCodes);
	}

	/**
	 * Return the platform as in the names of the scripts.
	 */
	final String platform() {
		return this.platform;
	}

	@Override
	public final String toString() {
		return this.platform;
	}

	/**
	 * Return whether the tests run on this database.
	 */
	boolean isTested() {
		return true;
	}

	/**
	 * Return whether the database is reached over a network, where a call may never be
	 * answered. Without a network no timeout may be set: pools discard connections whose
	 * drivers do not support it.
	 */
	boolean isRemote() {
		return true;
	}

	/**
	 * Return whether a failed transaction may succeed when it is repeated. Codes decide,
	 * because drivers disagree on exception classes.
	 */
	final boolean isRepeatable(@Nullable String state, int code) {
		return this.repeatableCodes.contains(code) || isRepeatable(state);
	}

	/**
	 * Return whether a failed transaction may succeed when it is repeated, on any
	 * database.
	 */
	static boolean isRepeatable(@Nullable String state) {
		return state != null && (REPEATABLE_STATES.contains(state)
				|| REPEATABLE_CLASSES.stream().anyMatch((prefix) -> state.startsWith(prefix)));
	}

	/**
	 * Return whether a cluster has aborted the transaction in favour of another one.
	 */
	boolean isEndedByCluster(SQLException failure) {
		return false;
	}

	/**
	 * Return whether a reader of a row waits for the transaction that has changed it,
	 * unless it reads uncommitted data. (HSQLDB waits even then.)
	 */
	boolean readersWait() {
		return false;
	}

	/**
	 * Return whether a transaction that changes a row locks out all other writers.
	 */
	boolean locksTables() {
		return false;
	}

	/**
	 * Return whether the driver may have prepared statements in a session that a pooler
	 * assigns to other clients.
	 */
	boolean hasTransactionPoolers() {
		return false;
	}

	/**
	 * Return the clause with which a select locks the rows it reads and skips rows that
	 * others have locked. Empty if the database has none.
	 */
	String skipLocked() {
		return "";
	}

	/**
	 * Return the clause with which a select inside a change reads current data on the
	 * primary: neither an old snapshot of the transaction, nor a replica behind a
	 * splitter. Only for databases with an incarnation.
	 */
	String forUpdate() {
		return "";
	}

	/**
	 * Advance a counter and return its new value.
	 */
	OptionalLong move(MovedRow row) throws SQLException {
		return row.compareAndSet();
	}

	/**
	 * Read the database's clock.
	 * @return milliseconds since 1970 in UTC
	 */
	final long currentMillis(Connection connection, int timeoutSeconds) throws SQLException {
		return SqlStatements.queryOne(connection, timeoutSeconds, this::millis, this.epochMillis).orElseThrow();
	}

	/**
	 * Return an SQL condition, preceded by {@code and}, that the database's clock is in
	 * an interval.
	 */
	Sql clockDuring(Interval interval) {
		String millis = this.epochMillis.replaceFirst("^(select|values) ", "").replaceFirst(" from dual$", "");
		return new Sql(" and " + millis + " >= ? and " + millis + " < ?", interval.start().toEpochMilli(),
				interval.end().toEpochMilli());
	}

	long millis(ResultSet row) throws SQLException {
		return row.getLong(1);
	}

	/**
	 * Make commits durable, or warn that they are not.
	 * @param warnings receives the warnings
	 */
	void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
		String durability = durability();
		if (durability != null) {
			warnOfDurability(query(connection, "SELECT " + durability).orElseThrow(), warnings);
		}
	}

	/**
	 * Return the server's durability settings, as an SQL expression for
	 * {@link #warnOfDurability}. If there is one, a single statement opens the store.
	 * Null otherwise.
	 */
	@Nullable String durability() {
		return null;
	}

	/**
	 * Warn if commits are not durable.
	 * @param found the value of {@link #durability}
	 * @param warnings receives the warnings
	 */
	void warnOfDurability(String found, List<String> warnings) {
	}

	/**
	 * Return whether a read in auto-commit takes one round trip, and switching
	 * auto-commit on and off takes none.
	 */
	boolean readsInOneRoundTrip() {
		return false;
	}

	/**
	 * Return the statement to send before the query that opens the store on its own
	 * connection, in the same round trip: {@link #setIdleTransactionTimeout}, if the
	 * server supports it.
	 */
	String prepareInSameRoundTrip() {
		return "";
	}

	/**
	 * Return the statement that ends the transaction of such a query, in the same round
	 * trip. Empty if the transaction ends in another way.
	 */
	String commitInSameRoundTrip() {
		return "";
	}

	/**
	 * Return a query for the name and kind of tables that lose rows or do not roll back.
	 * Empty if the database has none.
	 */
	Sql notTransactional(TableNames tables) {
		return Sql.NONE;
	}

	/**
	 * Return an SQL expression that is 0 if this user may insert into and update the
	 * tables, and greater if not. Null if only a statement shows it.
	 */
	@Nullable String missingRights(TableNames tables) {
		return null;
	}

	/**
	 * Return the statement that makes a table transactional.
	 */
	String makeTransactional(String table) {
		throw new IllegalStateException("all tables are transactional");
	}

	/**
	 * Return whether this setting of synchronous commits is supported.
	 */
	boolean supports(SynchronousCommit wanted) {
		return false;
	}

	/**
	 * Check whether commits can wait as required.
	 * @param warnings receives the reason if not
	 */
	void prepareReservations(Connection connection, SynchronousCommit wanted, List<String> warnings)
			throws SQLException {
	}

	/**
	 * Return the clock of the server in microseconds since 1970, as an SQL expression
	 * with the same value throughout a statement and in every time zone. Only for
	 * databases with an incarnation.
	 */
	String clockMicros() {
		throw new IllegalStateException("no server takes over from another one");
	}

	/**
	 * Return the operator of integer division.
	 */
	String division() {
		return "/";
	}

	/**
	 * Return the beginning of a transaction's first statement. It makes the commit
	 * durable, and lets the server end the transaction if its client is idle, because
	 * others wait for the changed rows. It affects this transaction only.
	 * @param wanted the least that the commit must wait for, or {@code null} for the disk
	 */
	String prelude(@Nullable SynchronousCommit wanted) {
		return "";
	}

	/**
	 * Begin a transaction of several statements, whatever auto-commit state the driver
	 * assumes.
	 * @param wanted the least that the commit must wait for, or {@code null} for the disk
	 */
	void begin(Connection connection, @Nullable SynchronousCommit wanted, int timeoutSeconds) throws SQLException {
	}

	/**
	 * Return an SQL expression for whether auto-commit is off in the session and its idle
	 * time is limited. Empty if there is nothing to check.
	 */
	String sessionIsReady(boolean withoutAutoCommit, boolean idleTimeIsLimited) {
		return "";
	}

	/**
	 * Return whether {@link #setIdleTransactionTimeout} applies to the session rather
	 * than to the transaction.
	 */
	boolean limitsIdleSession() {
		return false;
	}

	/**
	 * Let the server end transactions of this session whose client is idle. Only if
	 * {@link #canLimitIdleTime}.
	 */
	void setIdleTransactionTimeout(Connection connection, int timeoutSeconds) throws SQLException {
	}

	/**
	 * Undo {@link #setIdleTransactionTimeout}.
	 */
	void resetIdleTransactionTimeout(Connection connection) throws SQLException {
	}

	/**
	 * Read the server variables that {@link #canLimitIdleTime} and {@link #incarnation}
	 * need, if it has them.
	 */
	Map<String, String> variables(Connection connection) throws SQLException {
		return Map.of();
	}

	/**
	 * Return the same variables as an SQL expression, for {@link #variables(String)}.
	 */
	String variables() {
		return "''";
	}

	/**
	 * Parse the value of {@link #variables()}.
	 */
	Map<String, String> variables(@Nullable String found) {
		return Map.of();
	}

	/**
	 * Warn if a read may miss earlier commits.
	 * @param variables the server's variables
	 * @param warnings receives the warnings
	 */
	void warnOfLag(Map<String, String> variables, List<String> warnings) {
	}

	/**
	 * Return whether the server can end transactions of a session whose client is idle.
	 * @param variables the server's variables
	 */
	boolean canLimitIdleTime(Map<String, String> variables) {
		return false;
	}

	/**
	 * Return an expression that identifies the server. It differs on a server that takes
	 * over, but not after a restart.
	 * @param variables the server's variables
	 * @return an SQL expression, or {@code null} if servers cannot be distinguished, or
	 * need not be because none lags behind
	 */
	@Nullable String incarnation(Map<String, String> variables) {
		return null;
	}

	/**
	 * Return the same before the server's variables are known, if it is not in a cluster.
	 */
	@Nullable String incarnation() {
		return incarnation(Map.of());
	}

	/**
	 * Return whether any user may read the incarnation.
	 * @param variables the server's variables
	 */
	boolean isIncarnationPublic(Map<String, String> variables) {
		return true;
	}

	/**
	 * Return a substitute for a user without the right to read the incarnation.
	 * @param variables the server's variables
	 * @param reason the server's answer
	 * @param warnings receives the consequences
	 * @return an SQL expression, or {@code null} if servers cannot be distinguished
	 */
	@Nullable String incarnationWithoutRights(Map<String, String> variables, String reason, List<String> warnings) {
		warnings.add("A fail-over to another server will not be noticed, because the server does not answer "
				+ incarnation() + ": " + reason);
		return null;
	}

	/**
	 * Verify that a server may take over the rows of another one.
	 * @param ofRow the incarnation in the row, {@code null} before the first contact
	 * @param ofServer the incarnation of this server
	 */
	void verifyTakesOver(@Nullable String ofRow, String ofServer) throws SQLException {
	}

	/**
	 * Return how to draw several values of a sequence at once. Null if the database
	 * cannot.
	 */
	Bridge.@Nullable SequenceSql sequences() {
		return null;
	}

	/**
	 * Return how to make a column case-sensitive. All else about the column must be
	 * preserved.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 * @return sentences, with the statement to run if it is known
	 */
	String caseSensitivityRemedy(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return CASE_SENSITIVITY_REMEDY;
	}

	/**
	 * Find out whether a column accepts no values from inserts.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 * @return the generated column, or empty if it accepts values or that is not known
	 */
	Optional<GeneratedColumn> generated(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return Optional.empty();
	}

	/**
	 * Make an embedded database write each commit to its file before it acknowledges it.
	 */
	static void flushOnCommit(Connection connection, String inMemory, String sql, List<String> warnings)
			throws SQLException {
		String url = String.valueOf(connection.getMetaData().getURL());
		if (url.toLowerCase(Locale.ROOT).startsWith(inMemory)) {
			return;
		}
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			warnings.add("Commits are acknowledged before they are on disk, and '" + sql + "' failed: "
					+ SqlFailure.describe(ex));
		}
	}

	static Optional<String> query(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
			return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
		}
	}

}
