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

import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.store.ScopedGaplessStore.Interval;
import org.jspecify.annotations.Nullable;

/**
 * The differences between databases. This class uses standard SQL. Each subclass adapts
 * it to one database or to databases with similar SQL.
 * <p>
 * To add a database (for the places outside this package, see {@code architecture.md}):
 * <ul>
 * <li>Extend this class. Override {@link #serverIdentity}, {@link #clockMicros} and
 * {@link #currentReadClause} together. Without them, a fail-over is not detected.
 * Override {@link #isTested} to return {@code false} until tests run on the
 * database.</li>
 * <li>Add an entry and a case to {@link Dialects}.</li>
 * <li>Write {@code schema-<platform>.sql}.</li>
 * <li>List the platform in the metadata of {@code ids.jdbc.platform} and in
 * {@code docs/database.md}.</li>
 * </ul>
 */
abstract class Dialect {

	/**
	 * How long a client may be idle in a transaction before the server ends the
	 * transaction. The limit is short, because other clients wait for the changed rows.
	 * It is longer than the delays of a slow network.
	 */
	static final int IDLE_SECONDS = 3;

	/**
	 * The SQLState of a read-only server. Transactions that fail with this state are
	 * retried, because the server may be promoted soon.
	 */
	static final String READ_ONLY = "25006";

	/** The kind of a temporary table in {@link #nonTransactionalTables}. */
	static final String TEMPORARY = "a temporary table";

	/**
	 * The beginning of a remedy that is an SQL statement. Callers that run such remedies
	 * recognize them by this prefix.
	 */
	static final String STATEMENT_PREFIX = "Run: ";

	/** The remedy for a column that ignores case, if the exact statement is not known. */
	static final String CASE_SENSITIVITY_REMEDY = "Give the column a case-sensitive collation.";

	/**
	 * The SQLStates of transient failures:
	 * <ul>
	 * <li>serialization failures, deadlocks and lock timeouts</li>
	 * <li>read-only servers during a fail-over</li>
	 * <li>transactions that ended because they were idle for too long, or because the
	 * driver reconnected</li>
	 * </ul>
	 * {@link #REPEATABLE_CLASSES} adds lost connections and servers that are starting,
	 * stopping or overloaded.
	 */
	private static final Set<String> REPEATABLE_STATES = Set.of("40001", "40P01", "55P03", "25006", "25P03", "25S03",
			"40XL1", "40XL2");

	private static final List<String> REPEATABLE_CLASSES = List.of("08", "57P0", "53");

	private final String platform;

	private final String clockQuery;

	private final Set<Integer> repeatableCodes;

	/**
	 * Create a dialect.
	 * @param platform the platform, as in the names of the schema scripts
	 * @param clockQuery a query for the database's clock, in whole milliseconds since
	 * 1970 (UTC). Only a dialect that overrides {@link #readMillis} may return a
	 * timestamp, because sessions interpret timestamps in different time zones
	 * @param repeatableCodes vendor codes of transient failures
	 */
	Dialect(String platform, String clockQuery, Integer... repeatableCodes) {
		this.platform = platform;
		this.clockQuery = clockQuery;
		this.repeatableCodes = Set.of(repeatableCodes);
	}

	/**
	 * Return the platform, as in the names of the schema scripts.
	 */
	final String platform() {
		return this.platform;
	}

	@Override
	public final String toString() {
		return this.platform;
	}

	/**
	 * Return whether the id store has been tested on this database.
	 */
	boolean isTested() {
		return true;
	}

	/**
	 * Return whether calls get a network timeout. Return {@code false} for an embedded
	 * database. Also return {@code false} if the driver does not support network
	 * timeouts, because the pool would then discard the connection.
	 */
	boolean supportsNetworkTimeout() {
		return true;
	}

	/**
	 * Return whether a failed transaction may succeed when it is repeated. This method
	 * tests the SQLState and the vendor code, because drivers use different exception
	 * classes for the same failure.
	 */
	final boolean isRepeatable(@Nullable String state, int code) {
		return this.repeatableCodes.contains(code) || isRepeatable(state);
	}

	/**
	 * Return whether a failed transaction may succeed when it is repeated. This variant
	 * is for a database whose dialect is not known yet.
	 */
	static boolean isRepeatable(@Nullable String state) {
		return state != null && (REPEATABLE_STATES.contains(state)
				|| REPEATABLE_CLASSES.stream().anyMatch((prefix) -> state.startsWith(prefix)));
	}

	/**
	 * Return whether a cluster has aborted the transaction in favor of another one.
	 */
	boolean isAbortedByCluster(SQLException failure) {
		return false;
	}

	/**
	 * Return whether a reader waits for a transaction that has changed the row, and can
	 * avoid this wait by reading uncommitted data. The result is {@code false} for
	 * HSQLDB, whose readers wait even then.
	 */
	boolean readersWait() {
		return false;
	}

	/**
	 * Return whether a transaction that changes a row locks out all other writers of the
	 * table.
	 */
	boolean locksTables() {
		return false;
	}

	/**
	 * Return whether a connection pooler between client and server may assign a session
	 * to another client, even if the driver has prepared statements in that session.
	 */
	boolean hasTransactionPoolers() {
		return false;
	}

	/**
	 * Return the clause with which a query locks the rows it reads, and skips rows that
	 * other transactions have locked. The clause is empty if the database has no such
	 * clause.
	 */
	String skipLockedClause() {
		return "";
	}

	/**
	 * Return the clause with which a query locks the rows it reads. The query then
	 * returns current data from the primary. Without the clause, the data may come from
	 * an old snapshot of the transaction, or from a replica behind a read-write splitter.
	 * Only databases whose servers have an {@linkplain #serverIdentity incarnation} need
	 * the clause.
	 */
	String currentReadClause() {
		return "";
	}

	/**
	 * Advance a counter and return its new value, or empty if no row matched.
	 */
	OptionalLong advance(CounterUpdate update) throws SQLException {
		return update.advanceIfUnchanged();
	}

	/**
	 * Read the database's clock.
	 * @return milliseconds since 1970 in UTC
	 */
	final long currentMillis(Connection connection, int timeoutSeconds) throws SQLException {
		return SqlStatements.queryOne(connection, timeoutSeconds, this::readMillis, this.clockQuery).orElseThrow();
	}

	/**
	 * Return an SQL condition, preceded by {@code and}, that is true if the database's
	 * clock is in an interval.
	 */
	Sql clockDuring(Interval interval) {
		String millis = this.clockQuery.replaceFirst("^(select|values) ", "").replaceFirst(" from dual$", "");
		return new Sql(" and " + millis + " >= ? and " + millis + " < ?", interval.start().toEpochMilli(),
				interval.end().toEpochMilli());
	}

	long readMillis(ResultSet row) throws SQLException {
		return row.getLong(1);
	}

	/**
	 * Make commits durable, or warn if they are not.
	 * @param warnings receives the warnings
	 */
	void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
		String durability = durabilityExpression();
		if (durability != null) {
			warnOfDurability(query(connection, "SELECT " + durability).orElseThrow(), warnings);
		}
	}

	/**
	 * Return an SQL expression for the server's durability settings, which
	 * {@link #warnOfDurability} checks. With {@code null}, which is the default, the
	 * store opens with several statements instead of one query.
	 */
	@Nullable String durabilityExpression() {
		return null;
	}

	/**
	 * Warn if commits are not durable.
	 * @param settings the value of {@link #durabilityExpression}
	 * @param warnings receives the warnings
	 */
	void warnOfDurability(String settings, List<String> warnings) {
	}

	/**
	 * Return whether a read in auto-commit mode takes one round trip, and a change of
	 * auto-commit takes none.
	 */
	boolean readsInOneRoundTrip() {
		return false;
	}

	/**
	 * Return a statement to send before the query that opens the store, in the same round
	 * trip. If the server supports an idle timeout, the statement has the effect of
	 * {@link #setIdleTransactionTimeout}. Only the store's own connections execute it.
	 */
	String openingPreparation() {
		return "";
	}

	/**
	 * Return a statement to send after the query that opens the store, in the same round
	 * trip, to end the transaction. The result is empty if the transaction ends in
	 * another way.
	 */
	String openingCommit() {
		return "";
	}

	/**
	 * Return whether the query that opens the store can run without statements before and
	 * after it. Only then may it run on a connection that the application lends.
	 */
	final boolean opensWithoutSettings() {
		return openingPreparation().isEmpty() && openingCommit().isEmpty();
	}

	/**
	 * Return the clause with which an insert ignores an existing row, and returns columns
	 * of a new row only. The list of these columns must follow. The clause is empty if
	 * the database has no such clause.
	 */
	String insertReturningClause() {
		return "";
	}

	/**
	 * Return a query for the name and kind of the tables that may lose rows or do not
	 * support rollbacks. The query is empty if the database cannot have such tables. The
	 * kind of a temporary table is {@link #TEMPORARY}.
	 */
	Sql nonTransactionalTables(TableNames tables) {
		return Sql.NONE;
	}

	/**
	 * Return an SQL expression that is 0 if this user may insert into and update the
	 * tables of key spaces and slots, and greater than 0 otherwise. If the result is
	 * {@code null}, the store attempts changes to test the privileges.
	 */
	@Nullable String missingRightsExpression(TableNames tables) {
		return null;
	}

	/**
	 * Return the statement that makes a table transactional and durable.
	 */
	String transactionalStatement(String table) {
		throw new IllegalStateException("all tables are transactional");
	}

	/**
	 * Return whether a setting for synchronous commits is supported.
	 */
	boolean supports(SynchronousCommit wanted) {
		return false;
	}

	/**
	 * Check whether commits will wait for other servers as the setting requires.
	 * @param warnings receives a warning if they will not
	 */
	void checkSynchronousCommit(Connection connection, SynchronousCommit wanted, List<String> warnings)
			throws SQLException {
	}

	/**
	 * Return an SQL expression for the server's clock in microseconds since 1970 (UTC).
	 * The value must be constant within a statement. Only databases whose servers have an
	 * {@linkplain #serverIdentity incarnation} need the expression.
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
	 * Return the SQL to put before the first statement of a transaction. This SQL makes
	 * the commit durable, and lets the server end the transaction if its client is idle.
	 * It affects no other transaction.
	 * @param wanted what the commit must wait for at least, or {@code null} if the disk
	 * of this server is enough
	 * @param verify whether to include the {@link #unchangedSessionCheck}
	 */
	String prelude(@Nullable SynchronousCommit wanted, boolean verify) {
		return "";
	}

	/**
	 * Return an SQL expression that fails if the session sees different tables than a new
	 * session of the same user would see, or if its commits are less durable. Until the
	 * store's own connection has logged in, the store may borrow a connection of the
	 * application. The expression checks that connection. If the expression is empty, the
	 * store does not use such a connection.
	 */
	String unchangedSessionCheck() {
		return "";
	}

	/**
	 * Begin a transaction of several statements. This must work even if the session is in
	 * auto-commit mode without the driver's knowledge.
	 * @param wanted what the commit must wait for at least, or {@code null} if the disk
	 * of this server is enough
	 */
	void begin(Connection connection, @Nullable SynchronousCommit wanted, int timeoutSeconds) throws SQLException {
	}

	/**
	 * Return an SQL condition that is true if the session has the required settings. The
	 * condition is empty if there is nothing to check.
	 * @param withoutAutoCommit whether to check that auto-commit is off
	 * @param idleTimeIsLimited whether to check that the idle time is limited
	 */
	String readyCondition(boolean withoutAutoCommit, boolean idleTimeIsLimited) {
		return "";
	}

	/**
	 * Return whether {@link #setIdleTransactionTimeout} changes the session rather than
	 * only the transaction.
	 */
	boolean limitsIdleSession() {
		return false;
	}

	/**
	 * Let the server end the transactions of this session if its client is idle. Call
	 * this only if {@link #canLimitIdleTime} returns {@code true}.
	 */
	void setIdleTransactionTimeout(Connection connection, int timeoutSeconds) throws SQLException {
	}

	/**
	 * Undo {@link #setIdleTransactionTimeout}.
	 */
	void resetIdleTransactionTimeout(Connection connection) throws SQLException {
	}

	/**
	 * Read the server variables that {@link #canLimitIdleTime}, {@link #warnOfLag} and
	 * {@link #serverIdentity} need. Variables that the server does not have are omitted.
	 */
	Map<String, String> readVariables(Connection connection) throws SQLException {
		return Map.of();
	}

	/**
	 * Return an SQL expression for the variables that {@link #readVariables} reads, in
	 * the format that {@link #parseVariables} parses.
	 */
	String variablesExpression() {
		return "''";
	}

	/**
	 * Parse the value of {@link #variablesExpression()}.
	 */
	Map<String, String> parseVariables(@Nullable String text) {
		return Map.of();
	}

	/**
	 * Warn if reads may miss commits of other members of the cluster.
	 * @param variables the server's variables
	 * @param warnings receives the warnings
	 */
	void warnOfLag(Map<String, String> variables, List<String> warnings) {
	}

	/**
	 * Return whether the server can end the transactions of a session whose client is
	 * idle.
	 * @param variables the server's variables
	 */
	boolean canLimitIdleTime(Map<String, String> variables) {
		return false;
	}

	/**
	 * Return an SQL expression that identifies the server. Its value is the
	 * <em>incarnation</em> of the server. The value changes when another server takes
	 * over, but not when the same server restarts.
	 * @param variables the server's variables
	 * @return the expression, or {@code null} if servers cannot be distinguished, or if a
	 * server that takes over never lacks commits of the previous one
	 */
	@Nullable String serverIdentity(Map<String, String> variables) {
		return null;
	}

	/**
	 * Return the expression that identifies a server outside a cluster, for use before
	 * the server's variables are known.
	 */
	@Nullable String serverIdentity() {
		return serverIdentity(Map.of());
	}

	/**
	 * Return whether reading the incarnation requires no privileges.
	 * @param variables the server's variables
	 */
	boolean isIncarnationPublic(Map<String, String> variables) {
		return true;
	}

	/**
	 * Return a substitute for the incarnation, for a user without the privilege to read
	 * it.
	 * @param variables the server's variables
	 * @param reason why the incarnation could not be read
	 * @param warnings receives a warning about the consequences
	 * @return an SQL expression, or {@code null} if servers cannot be distinguished
	 */
	@Nullable String incarnationWithoutRights(Map<String, String> variables, String reason, List<String> warnings) {
		warnings.add("A fail-over to another server will not be noticed, because the server rejects the query for its"
				+ " identity (" + serverIdentity() + "): " + reason);
		return null;
	}

	/**
	 * Verify that this server may become the writer of the row of a key space.
	 * @param writer the incarnation of the last server that wrote the row, or
	 * {@code null} if none has been recorded yet
	 * @param server the incarnation of this server
	 */
	void verifyMayTakeOver(@Nullable String writer, String server) throws SQLException {
	}

	/**
	 * Return the SQL that draws several values of a sequence at once, or {@code null} if
	 * the database does not support it.
	 */
	Bridge.@Nullable SequenceSql sequenceSql() {
		return null;
	}

	/**
	 * Return how to make a column case-sensitive without changing its other properties.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 * @return {@link #STATEMENT_PREFIX} and the statement if it is known, or advice in
	 * prose
	 */
	String caseSensitivityRemedy(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return CASE_SENSITIVITY_REMEDY;
	}

	/**
	 * Find out whether the database always generates the values of a column, so that
	 * inserts cannot provide them.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 * @return the generated column, empty if inserts can provide the value, or if this is
	 * unknown
	 */
	Optional<GeneratedColumn> findGenerated(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return Optional.empty();
	}

	/**
	 * Make an embedded database write each commit to its file before it acknowledges the
	 * commit.
	 * @param inMemoryPrefix the beginning of the URL of an in-memory database, which has
	 * no file
	 */
	static void flushOnCommit(Connection connection, String inMemoryPrefix, String sql, List<String> warnings)
			throws SQLException {
		String url = String.valueOf(connection.getMetaData().getURL());
		if (url.toLowerCase(Locale.ROOT).startsWith(inMemoryPrefix)) {
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
