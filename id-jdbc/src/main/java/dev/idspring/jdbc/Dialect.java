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
 * The differences between databases. What is here is standard SQL; a subclass replaces
 * what its database does differently. To add a database, extend this class, name the
 * subclass in {@link Dialects}, and write {@code schema-<platform>.sql}. The rest is
 * optional; without {@link #incarnation} there is no fence after a fail-over. List the
 * platform in the metadata of {@code ids.jdbc.platform} and in {@code docs/database.md}.
 */
abstract class Dialect {

	/**
	 * How long a client may be idle in a transaction: longer than a slow network takes,
	 * and much shorter than others can wait.
	 */
	static final int IDLE_SECONDS = 3;

	/** The SQLState of a server that may be promoted in a moment: worth a retry. */
	static final String READ_ONLY = "25006";

	/** What to do where the statement is not known. */
	static final String TELL_CASES_APART = "Give the column a collation that tells upper and lower case apart.";

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
	 * Return the platform, as the scripts are named.
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
	 * Return whether the database is reached over a network, so that a call may never be
	 * answered. For others no network timeout may be set: pools discard connections whose
	 * drivers do not support it.
	 */
	boolean isRemote() {
		return true;
	}

	/**
	 * Return whether a failed transaction may succeed when it is repeated. Decided by
	 * codes: drivers disagree on the classes of exceptions.
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
	 * Return whether a cluster has ended the transaction for another one.
	 */
	boolean isEndedByCluster(SQLException failure) {
		return false;
	}

	/**
	 * Return whether a reader of a row waits for the transaction that has changed it,
	 * unless it asks for what is not committed. (HSQLDB waits even then.)
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
	 * gives to others.
	 */
	boolean hasTransactionPoolers() {
		return false;
	}

	/**
	 * Return what to add to a select so that it locks the rows it reads and skips those
	 * that others have locked. Empty where the database cannot do that.
	 */
	String skipLocked() {
		return "";
	}

	/**
	 * Return what to add to a select inside a change so that it reads current data on the
	 * primary: neither an old snapshot of the transaction, nor a replica to which a
	 * splitter sends reads. Only for databases with an incarnation.
	 */
	String forUpdate() {
		return "";
	}

	/**
	 * Move a counter ahead and return its new value.
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
	 * Return a condition of SQL, with an {@code and} before it, that the database's clock
	 * is in an interval.
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
	 * Make commits durable, or say why they are not.
	 * @param warnings receives what could not be changed
	 */
	void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
		String durability = durability();
		if (durability != null) {
			warnOfDurability(query(connection, "SELECT " + durability).orElseThrow(), warnings);
		}
	}

	/**
	 * Return what the server says of durability, as an expression of SQL for
	 * {@link #warnOfDurability}: where that is possible, the store is opened by one
	 * statement. Null elsewhere.
	 */
	@Nullable String durability() {
		return null;
	}

	/**
	 * Say why commits are not durable.
	 * @param found the value of {@link #durability}
	 * @param warnings receives what could not be changed
	 */
	void warnOfDurability(String found, List<String> warnings) {
	}

	/**
	 * Return whether a read in auto-commit takes one round trip, and switching
	 * auto-commit on and off takes none.
	 */
	boolean readsAtOnce() {
		return false;
	}

	/**
	 * Return the statement that precedes the query that opens the store on a connection
	 * of its own, in the same round trip: {@link #setIdleTransactionTimeout}, where the
	 * server supports it.
	 */
	String prepareAtOnce() {
		return "";
	}

	/**
	 * Return the statement that ends the transaction of such a query, in the same round
	 * trip. Empty where the transaction is ended in another way.
	 */
	String commitAtOnce() {
		return "";
	}

	/**
	 * Return a query for tables that lose rows or keep what was rolled back: name and
	 * kind. Empty where there are none.
	 */
	Sql notTransactional(TableNames tables) {
		return Sql.NONE;
	}

	/**
	 * Return an expression of SQL that is 0 if this user may insert into and update the
	 * tables, and greater if not. Null where only a statement shows it.
	 */
	@Nullable String denied(TableNames tables) {
		return null;
	}

	/**
	 * Return how to give a table transactions.
	 */
	String makeTransactional(String table) {
		throw new IllegalStateException("all tables are transactional");
	}

	/**
	 * Return whether the setting of what commits wait for is supported.
	 */
	boolean knows(SynchronousCommit wanted) {
		return false;
	}

	/**
	 * Find out whether commits can wait for what they should.
	 * @param warnings receives why not
	 */
	void prepareReservations(Connection connection, SynchronousCommit wanted, List<String> warnings)
			throws SQLException {
	}

	/**
	 * Return the clock of the server in microseconds since 1970, as an expression of SQL
	 * that is the same everywhere in a statement and in every time zone. Only for
	 * databases with an incarnation.
	 */
	String clockMicros() {
		throw new IllegalStateException("no server takes over from another one");
	}

	/**
	 * Return the operator that divides without remainder.
	 */
	String division() {
		return "/";
	}

	/**
	 * Return the beginning of a transaction's first statement. It makes the commit
	 * durable, and lets the server end the transaction when its client is idle, as others
	 * wait for the rows it has changed. It affects this transaction only.
	 * @param wanted what the commit has to wait for at least, or {@code null} for the
	 * disk
	 */
	String prelude(@Nullable SynchronousCommit wanted) {
		return "";
	}

	/**
	 * Begin a transaction for changes of several statements, whatever the driver assumes
	 * of auto-commit.
	 * @param wanted what the commit has to wait for at least, or {@code null} for the
	 * disk
	 */
	void begin(Connection connection, @Nullable SynchronousCommit wanted, int timeoutSeconds) throws SQLException {
	}

	/**
	 * Return whether the session does not commit each statement and limits how long it
	 * may be idle, as an expression of SQL; empty if there is nothing to ask for.
	 */
	String sessionIsReady(boolean withoutAutoCommit, boolean idleTimeIsLimited) {
		return "";
	}

	/**
	 * Return whether {@link #setIdleTransactionTimeout} is for the session rather than
	 * for the transaction.
	 */
	boolean limitsIdleSession() {
		return false;
	}

	/**
	 * Let the server end transactions of this session whose client is idle. Only where
	 * {@link #canLimitIdleTime}.
	 */
	void setIdleTransactionTimeout(Connection connection, int timeoutSeconds) throws SQLException {
	}

	/**
	 * Undo {@link #setIdleTransactionTimeout}.
	 */
	void end(Connection connection) throws SQLException {
	}

	/**
	 * Read those variables of the server that {@link #canLimitIdleTime} and
	 * {@link #incarnation} ask for, as far as it has them.
	 */
	Map<String, String> variables(Connection connection) throws SQLException {
		return Map.of();
	}

	/**
	 * Return the same variables as an expression of SQL, for {@link #variables(String)}.
	 */
	String variables() {
		return "''";
	}

	/**
	 * Read what {@link #variables()} has returned.
	 */
	Map<String, String> variables(@Nullable String found) {
		return Map.of();
	}

	/**
	 * Say why a read may not see what was committed before it.
	 * @param variables of the server
	 * @param warnings receives why
	 */
	void warnOfLag(Map<String, String> variables, List<String> warnings) {
	}

	/**
	 * Return whether the server can end transactions of a session whose client is idle.
	 * @param variables of the server
	 */
	boolean canLimitIdleTime(Map<String, String> variables) {
		return false;
	}

	/**
	 * Return how to tell the server from one that takes over from it, but not from itself
	 * after a restart.
	 * @param variables of the server
	 * @return an expression of SQL, or {@code null} if servers cannot be told apart, or
	 * need not be, as none lags behind
	 */
	@Nullable String incarnation(Map<String, String> variables) {
		return null;
	}

	/**
	 * Return the same for a server whose variables are not known yet, if it is not one of
	 * a cluster.
	 */
	@Nullable String incarnation() {
		return incarnation(Map.of());
	}

	/**
	 * Return whether any user may ask for the incarnation.
	 * @param variables of the server
	 */
	boolean isIncarnationPublic(Map<String, String> variables) {
		return true;
	}

	/**
	 * Return how to tell servers apart for a user who may not ask for the incarnation.
	 * @param variables of the server
	 * @param reason what the server has answered
	 * @param warnings receives what that means
	 * @return an expression of SQL, or {@code null} if servers cannot be told apart
	 */
	@Nullable String incarnationWithoutRights(Map<String, String> variables, String reason, List<String> warnings) {
		warnings.add("A fail-over to another server will not be noticed, because the server does not answer "
				+ incarnation() + ": " + reason);
		return null;
	}

	/**
	 * Make sure that a server may take over the rows of another one.
	 * @param ofRow the incarnation that the row has, {@code null} before the first
	 * contact
	 * @param ofServer the incarnation of this server
	 */
	void verifyTakesOver(@Nullable String ofRow, String ofServer) throws SQLException {
	}

	/**
	 * Return how to draw several values of a sequence at once. Null where there is no
	 * way.
	 */
	Bridge.@Nullable SequenceSql sequences() {
		return null;
	}

	/**
	 * Return how to make a column case-sensitive. Everything else about the column stays
	 * as it is.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 * @return sentences, with the statement to run where it is known
	 */
	String tellCasesApart(Connection connection, int timeoutSeconds, String table, String column) throws SQLException {
		return TELL_CASES_APART;
	}

	/**
	 * Find out whether a column takes no values from inserts.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 * @return what fills it, or nothing if it takes values, or if that is not known
	 */
	Optional<GeneratedColumn> generated(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return Optional.empty();
	}

	/**
	 * Have an embedded database write each commit to its file before it acknowledges it.
	 */
	static void writeAtOnce(Connection connection, String inMemory, String sql, List<String> warnings)
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
