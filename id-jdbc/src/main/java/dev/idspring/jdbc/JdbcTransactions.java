package dev.idspring.jdbc;

import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.BorrowedConnection.CommitLostException;
import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.store.rules.Outcome;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Runs database work in transactions of its own, separate from the caller's transaction.
 * <ol>
 * <li>A result is returned only after the database has acknowledged the commit. If a
 * commit fails, its outcome is unknown and the result is discarded. Ordinals that the
 * transaction reserved may then be lost. If the transaction changes a slot on behalf of
 * the slot's owner, it also writes a token. The token shows later whether the commit
 * succeeded.</li>
 * <li>Every attempt runs in a new transaction on a newly borrowed connection, because a
 * failed transaction may be unusable or may see old data.</li>
 * <li>Transient failures are retried until shortly before the deadline. The back-off is
 * random and grows, so that instances do not collide repeatedly.</li>
 * <li>A client that freezes in a transaction keeps its locks and blocks other clients. If
 * the server supports an idle timeout, the server ends that transaction. When the client
 * resumes, its commit fails, and it discards the result.</li>
 * <li>A {@link BorrowedConnection} restores the settings of a shared connection, even
 * after failures. A failure to restore them neither hides an earlier failure nor discards
 * a committed result.</li>
 * <li>Some pools and drivers throw exceptions other than SQLException. Any exception
 * therefore counts as a failure of the database, except for programming errors and this
 * project's own exceptions.</li>
 * </ol>
 */
final class JdbcTransactions {

	private static final long MAX_STATEMENT_SECONDS = Duration.ofDays(1).toSeconds();

	private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

	private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

	/**
	 * Retries end this long before the deadline, or a tenth of the available time if that
	 * is less. Callers with the same deadline then still get the reason for the last
	 * failure.
	 */
	private static final Duration REPORT_BEFORE_DEADLINE = Duration.ofMillis(250);

	/**
	 * How much longer the network timeout is than the remaining time. The statement
	 * timeout then expires first, and its failure has a better message.
	 */
	private static final Duration NETWORK_TIMEOUT_MARGIN = Duration.ofSeconds(1);

	private final DataSource dataSource;

	private final JdbcSettings settings;

	private final @Nullable SynchronousCommit synchronousCommit;

	/**
	 * Whether the store owns its connections and gets them with auto-commit off, except
	 * for connections of the application that a {@link LendingDataSource} lends.
	 */
	private final boolean ownsConnections;

	private volatile @Nullable Dialect dialect;

	private volatile @Nullable String url;

	private volatile boolean hasIdleTransactionTimeout;

	/**
	 * Whether a transaction of {@link #reserve} begins with an explicit statement, as one
	 * of {@link #repeat} does. This is set after a session has lost its settings, because
	 * the session may then auto-commit without the driver's knowledge.
	 */
	private volatile boolean beginsExplicitly;

	/**
	 * The store's own session in which the idle timeout was last set. The session retains
	 * the timeout after the transaction.
	 */
	private volatile WeakReference<Connection> sessionWithIdleTimeout = new WeakReference<>(null);

	/**
	 * Create an instance for a database.
	 * @param dataSource the DataSource of the database
	 * @param settings the settings of the tables
	 */
	JdbcTransactions(DataSource dataSource, JdbcSettings settings) {
		this.dataSource = dataSource;
		this.settings = settings;
		this.synchronousCommit = settings.synchronousCommit();
		this.ownsConnections = settings.prepared();
	}

	/**
	 * Return the dialect, which is known after the first transaction has begun.
	 */
	Dialect dialect() {
		Dialect dialect = this.dialect;
		if (dialect == null) {
			throw new IllegalStateException("no transaction has begun");
		}
		return dialect;
	}

	/**
	 * From now on, limit how long a client may be idle in a transaction that changes
	 * data. When the time is over, the server ends the transaction.
	 */
	void enableIdleTransactionTimeout() {
		this.hasIdleTransactionTimeout = true;
	}

	/**
	 * Run work, and retry it after transient failures.
	 * @param what the operation, for error messages
	 * @param work the work, which must be safe to repeat after a commit with an unknown
	 * outcome
	 * @param deadline when to stop retrying
	 */
	<T> T repeat(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, Purpose.CHANGE, deadline);
	}

	/**
	 * Run work like {@link #repeat}, but normally without a separate statement that
	 * begins the transaction. Therefore, the first statement of the work must begin with
	 * the {@link #prelude}, which sets up the session, and contain the
	 * {@link #readyCondition}, which checks the session.
	 * @param what the operation, for error messages
	 * @param work the work, which must be safe to repeat after a commit with an unknown
	 * outcome
	 */
	<T> T reserve(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, Purpose.RESERVE, deadline);
	}

	/**
	 * Repeat work until it has a result. Each attempt runs in its own transaction.
	 * @param runner {@link #repeat}, {@link #reserve} or {@link #once}
	 * @param what the operation, for error messages
	 * @param work the work, which must be safe to repeat after a commit with an unknown
	 * outcome
	 */
	<T> T repeatUntilResult(AttemptRunner<T> runner, String what, Work<Outcome<T>> work, Deadline deadline) {
		while (true) {
			Outcome<T> outcome = runner.run(what, work, deadline);
			outcome.afterCommit().run();
			T result = outcome.result();
			if (result != null) {
				return result;
			}
			await(what, new NotYetException(outcome.reason(), outcome.pause()), deadline);
		}
	}

	/**
	 * Return the SQL to put before the statement of {@link #reserve}.
	 */
	String prelude(Connection connection) {
		return dialect().prelude(this.synchronousCommit, mustVerifySession(connection));
	}

	/**
	 * Return the SQL to put before the query of {@link #open}.
	 */
	String openingPrelude(Connection connection) {
		return mustVerifySession(connection) ? "SELECT " + dialect().unchangedSessionCheck() + "; "
				: dialect().openingPreparation();
	}

	/**
	 * Return the {@link #readyCondition}, preceded by {@code and} if it is not empty.
	 */
	String andReadyCondition() {
		String ready = readyCondition();
		return ready.isEmpty() ? "" : " and " + ready;
	}

	/**
	 * Return an SQL condition that is true if the session has its settings, or an empty
	 * string if there is nothing to check. A pool's init SQL, a pooler, or a reconnect
	 * inside the driver may have changed the settings. Without the check, a statement
	 * could auto-commit, or an idle client could keep its locks without a time limit.
	 */
	String readyCondition() {
		return dialect().readyCondition(!this.beginsExplicitly, this.hasIdleTransactionTimeout);
	}

	/**
	 * React to a session that has lost its settings: from now on, begin each transaction
	 * that changes data with an explicit statement, and let the next one set the idle
	 * timeout again.
	 * @return an exception that causes a retry of the transaction
	 */
	SQLException onLostSettings() {
		this.beginsExplicitly = true;
		this.sessionWithIdleTimeout = new WeakReference<>(null);
		return new NotYetException("the session had lost its settings", NotYetException.SOON);
	}

	/**
	 * Run work that changes nothing and sees only committed data.
	 * @param what the operation, for error messages
	 */
	<T> T read(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, Purpose.READ, deadline);
	}

	/**
	 * Run a query that opens the store. If the store owns its connections, the query
	 * takes one round trip, and must begin with the {@link #openingPrelude} and end with
	 * the {@link Dialect#openingCommit}. Otherwise, it is an ordinary read.
	 * @param what the operation, for error messages
	 * @throws LentConnectionException if the connection belongs to the application and is
	 * not suitable
	 */
	<T> T open(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, this.ownsConnections ? Purpose.OPEN : Purpose.READ, deadline);
	}

	/**
	 * Run work that only reads, without waiting for writers. In a database in which
	 * {@linkplain Dialect#readersWait readers wait} for writers, the work therefore reads
	 * uncommitted data.
	 * @param what the operation, for error messages
	 */
	<T> T readWithoutWaiting(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, dialect().readersWait() ? Purpose.READ_UNCOMMITTED : Purpose.READ, deadline);
	}

	private <T> T repeat(String what, Work<T> work, Purpose purpose, Deadline deadline) {
		Duration pause = FIRST_PAUSE;
		Duration reportTime = deadline.remaining().dividedBy(10);
		reportTime = (reportTime.compareTo(REPORT_BEFORE_DEADLINE) < 0) ? reportTime : REPORT_BEFORE_DEADLINE;
		while (true) {
			try {
				return attempt(work, purpose, deadline);
			}
			catch (NotYetException ex) {
				await(what, ex, deadline);
			}
			catch (SQLException ex) {
				Duration left = deadline.remaining().minus(reportTime);
				if (!isRepeatable(ex) || left.isNegative() || left.isZero()) {
					throw unavailable(what, ex);
				}
				long millis = Math.min(pause.toMillis(), left.toMillis());
				sleep(what, Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis + 1)), ex);
				pause = (pause.compareTo(LONGEST_PAUSE) < 0) ? pause.multipliedBy(2) : LONGEST_PAUSE;
			}
		}
	}

	/**
	 * Wait before a retry, for the time that the exception contains.
	 * @param what the operation, for error messages
	 * @throws IdStoreUnavailableException immediately, if the wait would end after the
	 * deadline
	 */
	private void await(String what, NotYetException reason, Deadline deadline) {
		Duration remaining = deadline.remaining();
		if (remaining.isZero() || reason.wait.compareTo(remaining) > 0) {
			throw new IdStoreUnavailableException("Cannot " + what + " yet: " + reason.getMessage() + ". Retry in "
					+ reason.wait.plusMillis(1).toMillis() + " ms");
		}
		sleep(what, reason.wait, reason);
	}

	/**
	 * Run work once, without retries.
	 * @param what the operation, for error messages
	 */
	<T> T once(String what, Work<T> work, Deadline deadline) {
		try {
			return attempt(work, Purpose.CHANGE, deadline);
		}
		catch (SQLException ex) {
			throw unavailable(what, ex);
		}
	}

	private <T> T attempt(Work<T> work, Purpose purpose, Deadline deadline) throws SQLException {
		Connection connection;
		try {
			connection = this.dataSource.getConnection();
		}
		catch (SQLException | RuntimeException ex) {
			throw new NoConnectionException(ex);
		}
		try {
			return attempt(connection, work, purpose, deadline);
		}
		catch (SQLException | IdGenerationException ex) {
			if (!mustVerifySession(connection)) {
				throw ex;
			}
			// a retry on one of the store's own connections may succeed
			((LendingDataSource) this.dataSource).stopLendingUnverified();
			NotYetException retry = new NotYetException("an idle connection of the application's pool cannot be used",
					NotYetException.SOON);
			retry.initCause(ex);
			throw retry;
		}
	}

	private boolean mustVerifySession(Connection connection) {
		return this.dataSource instanceof LendingDataSource lending && lending.mustVerifySession(connection);
	}

	private <T> T attempt(Connection connection, Work<T> work, Purpose purpose, Deadline deadline) throws SQLException {
		try (BorrowedConnection borrowed = new BorrowedConnection(connection)) {
			Dialect dialect = identify(connection);
			if (dialect.supportsNetworkTimeout()) {
				borrowed.limitNetworkTimeout(
						DatabaseAddress.timeout(this.url, deadline.remaining().plus(NETWORK_TIMEOUT_MARGIN)));
			}
			boolean isOwn = isOwn(connection);
			boolean mustVerify = mustVerifySession(connection);
			if (!isOwn && ((mustVerify && dialect.unchangedSessionCheck().isEmpty())
					|| (purpose == Purpose.OPEN && !dialect.opensWithoutSettings()))) {
				throw new LentConnectionException();
			}
			boolean inTransaction = purpose.changes || purpose == Purpose.READ_UNCOMMITTED
					|| !dialect.readsInOneRoundTrip() || (mustVerify && purpose != Purpose.OPEN);
			borrowed.prepare(purpose == Purpose.READ_UNCOMMITTED, isOwn, inTransaction);
			if (mustVerify && !purpose.verifiesItself) {
				SqlStatements.query(connection, seconds(deadline), (row) -> row.getInt(1),
						"SELECT " + dialect.unchangedSessionCheck());
			}
			begin(borrowed, connection, dialect, purpose, isOwn, deadline);
			T result;
			if (purpose == Purpose.OPEN && !dialect.openingCommit().isEmpty()) {
				// use the driver's connection, because the pool would not notice the
				// commit in the query, and would send a rollback when the connection is
				// returned
				Connection session = connection.unwrap(Connection.class);
				result = work.run(session, seconds(deadline));
				this.sessionWithIdleTimeout = new WeakReference<>(session);
				borrowed.markCommitted();
			}
			else {
				result = work.run(connection, seconds(deadline));
				borrowed.commit(dialect);
			}
			return result;
		}
		catch (IdGenerationException | InvalidSettingException ex) {
			throw ex;
		}
		catch (NullPointerException | ClassCastException | IndexOutOfBoundsException ex) {
			// a programming error: a retry does not help
			throw ex;
		}
		catch (RuntimeException ex) {
			// some drivers and pools throw unchecked exceptions. SqlFailure describes the
			// new exception without its message, which may contain the password
			throw new SQLException(ex.getMessage(), ex);
		}
	}

	private Dialect identify(Connection connection) throws SQLException {
		Dialect dialect = this.dialect;
		if (dialect == null) {
			// use the driver's connection, because the pool would send a rollback when
			// the connection is returned
			DatabaseMetaData data = (this.ownsConnections ? connection.unwrap(Connection.class) : connection)
				.getMetaData();
			String platform = this.settings.platform();
			dialect = (platform != null) ? Dialects.ofConfigured(platform)
					: Dialects.ofSupportedProduct(data.getDatabaseProductName());
			this.url = data.getURL();
			this.dialect = dialect;
		}
		return dialect;
	}

	private boolean isOwn(Connection connection) throws SQLException {
		return this.ownsConnections
				&& !(this.dataSource instanceof LendingDataSource lending && lending.isLent(connection));
	}

	private void begin(BorrowedConnection borrowed, Connection connection, Dialect dialect, Purpose purpose,
			boolean isOwn, Deadline deadline) throws SQLException {
		if (purpose == Purpose.CHANGE) {
			dialect.begin(connection, this.synchronousCommit, seconds(deadline));
		}
		if (purpose == Purpose.RESERVE && this.beginsExplicitly) {
			dialect.begin(connection, null, seconds(deadline));
		}
		if (!purpose.changes || !this.hasIdleTransactionTimeout || !dialect.limitsIdleSession()) {
			return;
		}
		Connection session = isOwn ? connection.unwrap(Connection.class) : null;
		// the driver may have reconnected to a session without the timeout. Only a
		// reservation checks this, so set the timeout again for all other purposes
		if (purpose != Purpose.RESERVE || session == null || session != this.sessionWithIdleTimeout.get()) {
			borrowed.setIdleTransactionTimeout(dialect, session != null, seconds(deadline));
			if (session != null) {
				this.sessionWithIdleTimeout = new WeakReference<>(session);
			}
		}
	}

	/**
	 * Return the remaining time in whole seconds, rounded up, at least one.
	 */
	static int seconds(Deadline deadline) {
		// the limit is a day, because drivers convert the seconds to milliseconds as an
		// int
		return (int) Math.max(1, Math.min(MAX_STATEMENT_SECONDS, deadline.remaining().plusMillis(999).toSeconds()));
	}

	private boolean isRepeatable(SQLException exception) {
		if (exception instanceof NoConnectionException) {
			return !SqlFailure.isAccessDenied(exception) && !SqlFailure.isRoutingFailure(exception);
		}
		Dialect dialect = this.dialect;
		return TransactionConflicts.sqlExceptions(exception)
			.stream()
			.anyMatch((sql) -> (dialect != null) ? dialect.isRepeatable(sql.getSQLState(), sql.getErrorCode())
					: Dialect.isRepeatable(sql.getSQLState()));
	}

	private void sleep(String what, Duration time, SQLException reason) {
		try {
			Thread.sleep(time.plusNanos(999_999).toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			reason.addSuppressed(ex);
			throw unavailable(what + " (interrupted)", reason);
		}
	}

	private IdStoreUnavailableException unavailable(String what, SQLException ex) {
		String reason = (ex instanceof NotYetException || ex instanceof CommitLostException)
				? String.valueOf(ex.getMessage()) : SqlFailure.describe(ex, this.dataSource);
		return new IdStoreUnavailableException("Cannot " + what + ": " + reason, ex);
	}

	/**
	 * {@link #repeat}, {@link #reserve} or {@link #once}.
	 */
	interface AttemptRunner<T> {

		Outcome<T> run(String what, Work<Outcome<T>> work, Deadline deadline);

	}

	/**
	 * Work that runs on a borrowed connection.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		/**
		 * Run the work.
		 * @param connection the connection, which may auto-commit if the work only reads
		 * @param timeoutSeconds the timeout of each statement
		 */
		T run(Connection connection, int timeoutSeconds) throws SQLException;

	}

	/**
	 * The purpose of a transaction, which determines how it is run.
	 */
	private enum Purpose {

		/** Change data. A separate statement begins the transaction, if necessary. */
		CHANGE(true, false),

		/** Change data. The first statement also sets up the session. */
		RESERVE(true, true),

		/** Read committed data. */
		READ(false, false),

		/** Open the store with a single query, which also sets up the session. */
		OPEN(false, true),

		/** Read without waiting for writers. The work may see uncommitted data. */
		READ_UNCOMMITTED(false, false);

		/** Whether the transaction changes data. */
		private final boolean changes;

		/**
		 * Whether the first statement of the work itself verifies the session of a
		 * connection that the application lends.
		 */
		private final boolean verifiesItself;

		Purpose(boolean changes, boolean verifiesItself) {
			this.changes = changes;
			this.verifiesItself = verifiesItself;
		}

	}

	/**
	 * Thrown if no connection was available. A retry may help, for example if the pool is
	 * exhausted or the server is starting. It does not help if the user or the password
	 * is rejected, or if a routing DataSource finds no target.
	 */
	private static final class NoConnectionException extends SQLException {

		private static final long serialVersionUID = 1L;

		NoConnectionException(Exception cause) {
			super("no connection", cause);
		}

	}

	/**
	 * Thrown if a connection of the application is not suitable. Either its session
	 * cannot be verified, or the query that opens the store would change its settings
	 * without restoring them.
	 */
	static final class LentConnectionException extends IdGenerationException {

		private static final long serialVersionUID = 1L;

		LentConnectionException() {
			super("The connection belongs to the application");
		}

	}

	/**
	 * Thrown if the work is not possible yet, so that it is retried after a pause.
	 */
	static final class NotYetException extends SQLException {

		private static final long serialVersionUID = 1L;

		static final Duration SOON = Duration.ofMillis(10);

		private final Duration wait;

		NotYetException(String reason, Duration wait) {
			super(reason);
			this.wait = wait;
		}

	}

}
