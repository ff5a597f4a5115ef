package dev.idspring.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.worker.Deadline;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PreferQueryMode;
import org.springframework.util.ClassUtils;

/**
 * Detects a pooler that assigns sessions of PostgreSQL to transactions rather than to
 * connections, such as pgbouncer in transaction mode. The driver prepares {@code COMMIT}
 * and {@code ROLLBACK} in one session, and later executes them by names such as
 * {@code S_1}. In another session, these names may belong to other statements. The server
 * may then roll back or do nothing instead of committing, although the driver reports
 * success.
 * <p>
 * When the driver connects, it receives a process id. If the server process of the
 * session has this id, the connection has the session to itself. Otherwise, a pooler has
 * generated the id, and commits on the connection must be verified.
 */
final class TransactionPooler {

	/** The SQLStates for a prepared statement that does not exist or already exists. */
	static final Set<String> LOST_STATEMENT_STATES = Set.of("26000", "42P05");

	/**
	 * The remedy. With this setting, the driver uses no server-side prepared statements.
	 */
	static final String REMEDY = "Add prepareThreshold=0 to the URL of the DataSource.";

	private static final boolean DRIVER_PRESENT = ClassUtils.isPresent("org.postgresql.PGConnection",
			TransactionPooler.class.getClassLoader());

	private static final Logger logger = System.getLogger(TransactionPooler.class.getName());

	private final AtomicBoolean hasWarned = new AtomicBoolean();

	/** The driver's connections that do not share their sessions. */
	private final Set<Connection> directConnections = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	/**
	 * Verify that no pooler loses the driver's prepared statements.
	 * @param dataSource the DataSource, whose connections other code may use as well
	 * @param deadline the time by which the operation must end
	 * @throws IdSetupException if a pooler loses prepared statements
	 */
	static void verifyNone(Dialect dialect, DataSource dataSource, Deadline deadline) {
		if (dialect.hasTransactionPoolers() && DRIVER_PRESENT) {
			PoolerProbe.verify(dialect, dataSource, deadline);
		}
	}

	/**
	 * Return whether a pooler is the cause of a failure. Log a warning for the first such
	 * failure.
	 */
	boolean isCauseOf(Throwable failure) {
		boolean found = TransactionConflicts.sqlExceptions(failure)
			.stream()
			.map(SQLException::getSQLState)
			.anyMatch((state) -> state != null && LOST_STATEMENT_STATES.contains(state));
		if (found && !this.hasWarned.getAndSet(true)) {
			logger.log(Level.WARNING,
					"A pooler such as pgbouncer can run each transaction in a different session of PostgreSQL."
							+ " Transactions fail if the session lacks statements that the driver has prepared. "
							+ REMEDY);
		}
		return found;
	}

	/**
	 * Return whether the driver prepares statements in sessions that a pooler may assign
	 * to other clients. No query is sent to the server.
	 */
	static boolean mayUsePooler(Dialect dialect, Connection connection) throws SQLException {
		return dialect.hasTransactionPoolers() && DRIVER_PRESENT && Driver.preparesInSession(connection);
	}

	/**
	 * Return a check for whether a connection is still in a transaction. The check always
	 * returns {@code false} if there can be no pooler. Create the check before the
	 * commit: if creating it failed after the commit, committed work would be discarded.
	 */
	static BooleanSupplier inTransactionCheck(Dialect dialect, Connection connection) throws SQLException {
		return mayUsePooler(dialect, connection) ? Driver.inTransactionCheck(connection) : () -> false;
	}

	/**
	 * Abort a connection if its commit may be lost, or if its failed transaction was not
	 * rolled back. The session may then lack the prepared {@code COMMIT} or
	 * {@code ROLLBACK}. Without the abort, the connection would occupy the session, and
	 * the pool would hand out the connection again.
	 * @param connection the connection, after Spring has completed the transaction
	 * @param commitMayBeLost whether the commit may be lost
	 */
	static void abortIfStuck(Dialect dialect, Connection connection, boolean commitMayBeLost) throws SQLException {
		if (mayUsePooler(dialect, connection) && (commitMayBeLost || Driver.hasFailed(connection))) {
			connection.unwrap(Connection.class).abort(Runnable::run);
		}
	}

	/**
	 * Return the id of the current transaction if its commit must be verified, empty
	 * otherwise.
	 */
	OptionalLong transactionToVerify(Dialect dialect, Connection connection, int timeoutSeconds) throws SQLException {
		return mayUsePooler(dialect, connection) ? idUnlessDirect(connection, timeoutSeconds) : OptionalLong.empty();
	}

	private OptionalLong idUnlessDirect(Connection connection, int timeoutSeconds) throws SQLException {
		Connection driver = connection.unwrap(Connection.class);
		if (this.directConnections.contains(driver)) {
			return OptionalLong.empty();
		}
		Session session = SqlStatements
			.queryOne(connection, timeoutSeconds, (row) -> new Session(row.getInt(1), row.getLong(2)),
					"select pg_backend_pid(), txid_current()")
			.orElseThrow();
		if (session.processId != Driver.processId(connection)) {
			return OptionalLong.of(session.transactionId);
		}
		this.directConnections.add(driver);
		return OptionalLong.empty();
	}

	static boolean isCommitted(Connection connection, int timeoutSeconds, long transactionId) throws SQLException {
		return SqlStatements
			.queryOne(connection, timeoutSeconds, (row) -> "committed".equals(row.getString(1)),
					"select txid_status(?)", transactionId)
			.orElse(false);
	}

	private record Session(int processId, long transactionId) {

	}

	/**
	 * Accesses PostgreSQL's driver. This is a separate class so that the rest of the code
	 * loads without the driver on the class path.
	 */
	static final class Driver {

		static boolean preparesInSession(Connection connection) throws SQLException {
			if (!connection.isWrapperFor(PGConnection.class)) {
				return false;
			}
			PGConnection driver = connection.unwrap(PGConnection.class);
			return driver.getPrepareThreshold() != 0 && driver.getPreferQueryMode() != PreferQueryMode.SIMPLE;
		}

		static BooleanSupplier inTransactionCheck(Connection connection) throws SQLException {
			BaseConnection driver = connection.unwrap(BaseConnection.class);
			return () -> driver.getTransactionState() != TransactionState.IDLE;
		}

		static boolean hasFailed(Connection connection) throws SQLException {
			return connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
		}

		static int processId(Connection connection) throws SQLException {
			return connection.unwrap(PGConnection.class).getBackendPID();
		}

	}

}
