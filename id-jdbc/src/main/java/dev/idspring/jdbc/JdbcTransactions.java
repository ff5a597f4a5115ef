package dev.idspring.jdbc;

import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.store.rules.Outcome;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Runs work in separate transactions.
 * <ol>
 * <li>A result is returned only after its commit has been acknowledged. If a commit
 * fails, its outcome is unknown and the result is discarded: counters lose the ordinals,
 * and slots are recognized by the token of the attempt.</li>
 * <li>Every attempt is a fresh transaction on a freshly borrowed connection: a failed one
 * may be unusable, or see an old state.</li>
 * <li>A transient failure is retried until the deadline, with growing and jittered
 * pauses, so that instances do not collide repeatedly.</li>
 * <li>A client that freezes in a transaction holds its locks. If the server supports it,
 * it ends transactions of idle clients, so that no other client waits for them. The
 * frozen client's commit is then refused, and the client discards the result.</li>
 * <li>A shared connection is returned with its settings restored, whatever happens. A
 * failure to restore them neither hides an earlier failure nor undoes a commit.</li>
 * <li>Not every pool and driver throws SQLException. So every exception counts as a
 * failure of the database, except our own exceptions, which already have a message, and
 * programming errors.</li>
 * </ol>
 */
final class JdbcTransactions {

	private static final long LONGEST_STATEMENT = Duration.ofDays(1).toSeconds();

	private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

	private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

	/**
	 * The last failure is reported this long before the deadline, but at most a tenth of
	 * the time. So callers with the same deadline get the reason.
	 */
	private static final Duration REPORT = Duration.ofMillis(250);

	/** A statement's own timeout comes first, because it has a better message. */
	private static final Duration AFTER_STATEMENT = Duration.ofSeconds(1);

	private final DataSource dataSource;

	private final JdbcSettings settings;

	private final @Nullable SynchronousCommit synchronousCommit;

	private volatile @Nullable Dialect dialect;

	private volatile @Nullable String url;

	private volatile boolean hasIdleTransactionTimeout;

	/** Whether sessions auto-commit, although the driver assumes otherwise. */
	private volatile boolean beginsExplicitly;

	/**
	 * Whether the store owns its connections and gets them with auto-commit off, unless
	 * they are lent.
	 */
	private final boolean prepared;

	/** The session that retains the settings of our transactions. */
	private volatile WeakReference<Connection> retained = new WeakReference<>(null);

	/**
	 * Create a runner of transactions.
	 * @param dataSource the database of the transactions
	 * @param settings their settings
	 */
	JdbcTransactions(DataSource dataSource, JdbcSettings settings) {
		this.dataSource = dataSource;
		this.settings = settings;
		this.synchronousCommit = settings.synchronousCommit();
		this.prepared = settings.prepared();
	}

	/**
	 * Return the dialect, which the first transaction determines.
	 */
	Dialect dialect() {
		Dialect known = this.dialect;
		if (known == null) {
			throw new IllegalStateException("no transaction has begun");
		}
		return known;
	}

	/**
	 * Let the server end transactions whose client is idle.
	 */
	void setIdleTransactionTimeout() {
		this.hasIdleTransactionTimeout = true;
	}

	/**
	 * Run work, and retry it after transient failures.
	 * @param what the operation, for failure messages
	 * @param work must be safe to repeat after a commit with an unknown outcome
	 * @param deadline when to stop retrying
	 */
	<T> T repeat(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, Purpose.CHANGE, deadline);
	}

	/**
	 * Run work whose only change is one statement. That statement sets up the session
	 * ({@link #prelude}) and verifies it ({@link #andSessionIsReady}).
	 * @param what the operation, for failure messages
	 * @param work must be safe to repeat after a commit with an unknown outcome
	 */
	<T> T reserve(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, Purpose.RESERVE, deadline);
	}

	/**
	 * Make attempts until one has a result. Each is a transaction of its own.
	 * @param transactions {@link #repeat} or {@link #reserve}
	 * @param what the operation, for the message of a failure
	 * @param work must tolerate a repetition after a commit that we do not know of
	 */
	<T> T attempt(Transactions<T> transactions, String what, Work<Outcome<T>> work, Deadline deadline) {
		while (true) {
			Outcome<T> outcome = transactions.run(what, work, deadline);
			outcome.durable().run();
			T result = outcome.result();
			if (result != null) {
				return result;
			}
			await(what, new NotYetException(outcome.reason(), outcome.pause()), deadline);
		}
	}

	/**
	 * Return the prefix of the first statement of a transaction, which is its only
	 * change.
	 */
	String prelude() {
		Dialect known = this.dialect;
		return (known != null) ? known.prelude(this.synchronousCommit) : "";
	}

	/**
	 * Return a condition for a statement that must not auto-commit, nor keep locks while
	 * its client is idle: init SQL, a pooler or a reconnect inside the driver may have
	 * changed the session unnoticed.
	 */
	String andSessionIsReady() {
		String ready = sessionIsReady();
		return ready.isEmpty() ? "" : " and " + ready;
	}

	/**
	 * Return whether the session is ready, as an SQL expression; empty if there is
	 * nothing to check.
	 */
	String sessionIsReady() {
		Dialect known = this.dialect;
		return (known != null) ? known.sessionIsReady(!this.beginsExplicitly, this.hasIdleTransactionTimeout) : "";
	}

	/**
	 * Set up sessions again, and begin each transaction with a statement.
	 * @return a failure that makes the transaction be retried
	 */
	SQLException resetSession() {
		this.beginsExplicitly = true;
		this.retained = new WeakReference<>(null);
		return new NotYetException("the session had lost its settings", NotYetException.SOON);
	}

	/**
	 * Run work that changes nothing and sees only committed data.
	 * @param what the operation, for failure messages
	 */
	<T> T read(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, Purpose.READ, deadline);
	}

	/**
	 * Run a query that opens the store. On the store's own connections it takes one round
	 * trip: the query sets up the session ({@link Dialect#prepareInSameRoundTrip}) and
	 * ends its transaction itself ({@link Dialect#commitInSameRoundTrip}).
	 * @param what the operation, for failure messages
	 * @throws LentConnectionException if the connection is shared with others
	 */
	<T> T open(String what, Work<T> work, Deadline deadline) {
		return repeat(what, work, this.prepared ? Purpose.OPEN : Purpose.READ, deadline);
	}

	/**
	 * Run work that only reads and does not wait. Where readers wait for writers, it also
	 * sees uncommitted data.
	 * @param what the operation, for failure messages
	 */
	<T> T peek(String what, Work<T> work, Deadline deadline) {
		Dialect known = this.dialect;
		boolean readersWait = known != null && known.readersWait();
		return repeat(what, work, readersWait ? Purpose.PEEK : Purpose.READ, deadline);
	}

	private <T> T repeat(String what, Work<T> work, Purpose purpose, Deadline deadline) {
		Duration pause = FIRST_PAUSE;
		Duration report = deadline.remaining().dividedBy(10);
		report = (report.compareTo(REPORT) < 0) ? report : REPORT;
		while (true) {
			try {
				return attempt(work, purpose, deadline);
			}
			catch (NotYetException ex) {
				if (deadline.hasPassed() || ex.wait.compareTo(deadline.remaining()) > 0) {
					throw new IdStoreUnavailableException("Cannot " + what + " yet: " + ex.getMessage() + ". Retry in "
							+ ex.wait.plusMillis(1).toMillis() + " ms");
				}
				sleep(what, ex.wait, ex);
			}
			catch (SQLException ex) {
				Duration left = deadline.remaining().minus(report);
				if (!isRepeatable(ex) || left.isNegative() || left.isZero()) {
					throw unavailable(what, ex);
				}
				pause(what, pause, left, ex);
				pause = (pause.compareTo(LONGEST_PAUSE) < 0) ? pause.multipliedBy(2) : LONGEST_PAUSE;
			}
		}
	}

	/**
	 * Wait until a retry is useful.
	 * @param what the operation, for failure messages
	 * @throws IdStoreUnavailableException at once, if a retry is useful only after the
	 * deadline: callers whose deadline comes first still learn why
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
	 * Run work once.
	 * @param what the operation, for failure messages
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
		return attempt(connection, work, purpose, deadline);
	}

	private <T> T attempt(Connection connection, Work<T> work, Purpose purpose, Deadline deadline) throws SQLException {
		try (BorrowedConnection borrowed = new BorrowedConnection(connection)) {
			Dialect known = identify(connection);
			if (known.isRemote()) {
				borrowed
					.limitNetworkTimeout(DatabaseAddress.timeout(this.url, deadline.remaining().plus(AFTER_STATEMENT)));
			}
			boolean own = isOwn(connection);
			if (purpose == Purpose.OPEN && !own) {
				throw new LentConnectionException();
			}
			boolean isolated = purpose.changes || purpose == Purpose.PEEK || !known.readsInOneRoundTrip();
			borrowed.prepare(purpose == Purpose.PEEK, own, isolated);
			begin(borrowed, known, purpose, own, deadline);
			T result;
			if (purpose == Purpose.OPEN && !known.commitInSameRoundTrip().isEmpty()) {
				// bypass the pool, which would end the transaction too
				Connection session = connection.unwrap(Connection.class);
				result = work.run(session, seconds(deadline));
				this.retained = new WeakReference<>(session);
			}
			else {
				result = work.run(connection, seconds(deadline));
				if (isolated) {
					commit(connection, TransactionPooler.inTransaction(known, connection));
				}
			}
			borrowed.committed();
			return result;
		}
		catch (IdGenerationException | InvalidSettingException ex) {
			throw ex;
		}
		catch (NullPointerException | ClassCastException | IndexOutOfBoundsException ex) {
			// a programming error: waiting does not help
			throw ex;
		}
		catch (RuntimeException ex) {
			// not every driver and pool throws SQLException, and the message may contain
			// the password
			throw new SQLException(ex.getMessage(), ex);
		}
	}

	/**
	 * Commit, and verify it: other users of the connection may have made the driver
	 * prepare the statement in another session.
	 */
	private static void commit(Connection connection, BooleanSupplier inTransaction) throws SQLException {
		connection.commit();
		if (inTransaction.getAsBoolean()) {
			connection.abort(Runnable::run);
			throw new CommitLostException();
		}
	}

	private Dialect identify(Connection connection) throws SQLException {
		Dialect known = this.dialect;
		if (known == null) {
			// bypass the pool, which would roll back afterwards
			DatabaseMetaData data = (this.prepared ? connection.unwrap(Connection.class) : connection).getMetaData();
			String platform = this.settings.platform();
			known = (platform != null) ? Dialects.ofConfigured(platform)
					: Dialects.identified(data.getDatabaseProductName());
			this.url = data.getURL();
			this.dialect = known;
		}
		return known;
	}

	private boolean isOwn(Connection connection) throws SQLException {
		return this.prepared && !(this.dataSource instanceof LendingDataSource lending && lending.isLent(connection));
	}

	private void begin(BorrowedConnection borrowed, Dialect known, Purpose purpose, boolean own, Deadline deadline)
			throws SQLException {
		if (purpose == Purpose.CHANGE) {
			known.begin(borrowed.connection(), this.synchronousCommit, seconds(deadline));
		}
		if (purpose == Purpose.RESERVE && this.beginsExplicitly) {
			known.begin(borrowed.connection(), null, seconds(deadline));
		}
		if (purpose.changes && this.hasIdleTransactionTimeout && known.limitsIdleSession()) {
			setIdleTransactionTimeout(borrowed, known, purpose, own, deadline);
		}
	}

	private void setIdleTransactionTimeout(BorrowedConnection borrowed, Dialect known, Purpose purpose, boolean own,
			Deadline deadline) throws SQLException {
		Connection session = own ? borrowed.connection().unwrap(Connection.class) : null;
		// only a single statement detects that the driver has reconnected
		if (purpose == Purpose.RESERVE && session != null && session == this.retained.get()) {
			return;
		}
		borrowed.setIdleTransactionTimeout(known, session != null, seconds(deadline));
		if (session != null) {
			this.retained = new WeakReference<>(session);
		}
	}

	/**
	 * Return how many whole seconds a statement may take, at least one.
	 */
	static int seconds(Deadline deadline) {
		// drivers compute with milliseconds as int
		return (int) Math.max(1, Math.min(LONGEST_STATEMENT, deadline.remaining().plusMillis(999).toSeconds()));
	}

	private boolean isRepeatable(SQLException exception) {
		if (exception instanceof NoConnectionException noConnection) {
			return !noConnection.isPermanentlyRejected() && !SqlFailure.isUnrouted(noConnection);
		}
		Dialect dialect = this.dialect;
		for (SQLException ex = exception; ex != null; ex = ex.getNextException()) {
			for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
				if (cause instanceof SQLException sql
						&& ((dialect != null) ? dialect.isRepeatable(sql.getSQLState(), sql.getErrorCode())
								: Dialect.isRepeatable(sql.getSQLState()))) {
					return true;
				}
			}
		}
		return false;
	}

	private void pause(String what, Duration pause, Duration left, SQLException reason) {
		long millis = Math.min(pause.toMillis(), left.toMillis());
		sleep(what, Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis + 1)), reason);
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
	 * How the transaction of an attempt is run.
	 */
	interface Transactions<T> {

		Outcome<T> run(String what, Work<Outcome<T>> work, Deadline deadline);

	}

	/**
	 * Work in a transaction.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		/**
		 * Run it.
		 * @param connection a connection in a separate transaction
		 * @param timeoutSeconds how long each statement may take
		 */
		T run(Connection connection, int timeoutSeconds) throws SQLException;

	}

	/**
	 * The purpose of a transaction.
	 */
	private enum Purpose {

		CHANGE(true), RESERVE(true), READ(false), OPEN(false), PEEK(false);

		private final boolean changes;

		Purpose(boolean changes) {
			this.changes = changes;
		}

	}

	/**
	 * No connection was available. Unless the database rejects the user, a retry may
	 * help: the pool may be exhausted, or the server starting.
	 */
	private static final class NoConnectionException extends SQLException {

		private static final long serialVersionUID = 1L;

		NoConnectionException(Exception cause) {
			super("no connection", (cause instanceof SQLException sql) ? sql.getSQLState() : null,
					(cause instanceof SQLException sql) ? sql.getErrorCode() : 0, cause);
		}

		boolean isPermanentlyRejected() {
			return getSQLState() != null && getSQLState().startsWith("28");
		}

	}

	/**
	 * A shared connection cannot open the store in one round trip: it may not accept
	 * several statements at once, and must keep its own settings.
	 */
	static final class LentConnectionException extends IdGenerationException {

		private static final long serialVersionUID = 1L;

		LentConnectionException() {
			super("The connection serves others, too");
		}

	}

	/**
	 * A pooler sent a commit to a session that executed another statement instead.
	 */
	private static final class CommitLostException extends SQLException {

		private static final long serialVersionUID = 1L;

		CommitLostException() {
			// the state of connections that are lost during a commit
			super("a pooler has executed another statement instead of the commit. " + TransactionPooler.REMEDY,
					"08007");
		}

	}

	/**
	 * The work is not possible yet. Retry it after a wait.
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
