package dev.idspring.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.store.SystemRandom;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Detects at startup whether a {@linkplain TransactionPooler pooler} loses statements
 * that PostgreSQL's driver has prepared. The driver prepares a statement in one
 * transaction, and executes the statement in a second one. Before the second transaction
 * begins, a third transaction on another connection occupies the session of the first
 * one. The second transaction therefore needs another session, and shows whether the
 * statement still works there. A pooler passes if it assigns one session to each
 * connection, or prepares the statement again in the other session.
 * <ol>
 * <li>First, the probe compares the process id that the driver received when it connected
 * with the process id of the session. Without a pooler, these ids are equal, and the
 * probe ends.</li>
 * <li>If the first two transactions get the same session, the attempt is inconclusive.
 * The probe makes at most three attempts.</li>
 * <li>The probe prepares only one named statement. This statement has so many parameters
 * that no other statement can be executed in its place.</li>
 * <li>If the pooler has a single session, the third transaction occupies it. The server
 * soon ends that transaction, because the probe limits its idle time.</li>
 * <li>Only a lost statement is evidence of a pooler. A timeout or another failure is
 * not.</li>
 * </ol>
 */
final class PoolerProbe {

	/**
	 * The maximum time for which startup waits for the result of the probe. If the
	 * deadline is near, startup waits only for half of the remaining time.
	 */
	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	/** The maximum time to wait for a second connection from the pool. */
	private static final Duration POOL_TIMEOUT = Duration.ofMillis(500);

	private static final int ATTEMPTS = 3;

	private static final int PARAMETERS = 60;

	private static final String SESSION_QUERY = "select pg_backend_pid()";

	private static final String CONDITION = " where concat("
			+ String.join(", ", Collections.nCopies(PARAMETERS, "cast(? as text)")) + ") <> ''";

	private static final String SET_IDLE_LIMIT = "select set_config('idle_in_transaction_session_timeout', '1s', true)";

	/**
	 * The SQLState that the server reports if the name belongs to a prepared statement
	 * with a different number of parameters. Pgbouncer also reports this SQLState if no
	 * session is free.
	 */
	private static final String PROTOCOL_VIOLATION = "08P01";

	/** The server's routine that reports a wrong number of parameters. */
	private static final String BIND_ROUTINE = "exec_bind_message";

	private static final Logger logger = System.getLogger(PoolerProbe.class.getName());

	private final DataSource dataSource;

	private final Dialect dialect;

	/**
	 * Distinguishes this probe's statement from a statement with the same name that an
	 * earlier run of the application left in a session.
	 */
	private final String token = SystemRandom.text();

	private PoolerProbe(DataSource dataSource, Dialect dialect) {
		this.dataSource = dataSource;
		this.dialect = dialect;
	}

	/**
	 * Verify that no pooler loses the driver's prepared statements.
	 * @param dataSource the DataSource, whose connections other code may use as well
	 * @param deadline the time by which the operation must end
	 * @throws IdSetupException if a pooler loses prepared statements
	 */
	static void verify(Dialect dialect, DataSource dataSource, Deadline deadline) {
		PoolerProbe probe = new PoolerProbe(dataSource, dialect);
		CompletableFuture<Optional<String>> pendingEvidence = start(probe::findEvidence);
		Duration half = deadline.remaining().dividedBy(2);
		Duration timeLimit = (half.compareTo(TIMEOUT) < 0) ? half : TIMEOUT;
		try {
			Optional<String> evidence = pendingEvidence.get(timeLimit.toNanos(), TimeUnit.NANOSECONDS);
			if (evidence.isPresent()) {
				throw new IdSetupException(problem(evidence
					.get()), "Set prepareThreshold=0, either in the URL of the DataSource"
							+ " (jdbc:postgresql://host/database?prepareThreshold=0) or as a property of the driver"
							+ " (spring.datasource.hikari.data-source-properties.prepareThreshold=0). Alternatively,"
							+ " make the pooler support prepared statements (pgbouncer since 1.21:"
							+ " max_prepared_statements=200) or keep each client in one session (pool_mode=session).",
						List.of("spring.datasource.url"), null);
			}
		}
		catch (TimeoutException ex) {
			pendingEvidence.thenAccept((late) -> late.ifPresent(
					(evidence) -> logger.log(Level.WARNING, problem(evidence) + " " + TransactionPooler.REMEDY)));
		}
		catch (ExecutionException ex) {
			logger.log(Level.DEBUG, "The probe for a pooler failed", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static String problem(String evidence) {
		return "A pooler between the DataSource and PostgreSQL can run each transaction in a different session. A"
				+ " statement that the driver has prepared in one session is missing in another one (" + evidence
				+ "). Therefore, commits may fail, or may be lost although the driver reports success.";
	}

	private static <T> CompletableFuture<T> start(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, (command) -> {
			Thread thread = new Thread(null, command, "ids-pooler-probe", 0, false);
			thread.setDaemon(true);
			thread.start();
		});
	}

	/**
	 * Return the evidence that a pooler loses prepared statements, empty if there is
	 * none.
	 */
	private Optional<String> findEvidence() {
		Optional<String> found = Optional.empty();
		try (Connection connection = this.dataSource.getConnection()) {
			if (TransactionPooler.mayUsePooler(this.dialect, connection)) {
				found = findEvidence(connection);
			}
		}
		catch (SQLException | RuntimeException ex) {
			// this failure is no evidence of lost statements: for example, closing the
			// aborted connection may fail
			logger.log(Level.DEBUG, "The probe for a pooler failed", ex);
		}
		return found;
	}

	private Optional<String> findEvidence(Connection connection) throws SQLException {
		PGConnection driver = connection.unwrap(PGConnection.class);
		boolean autoCommit = connection.getAutoCommit();
		AutoSave autoSave = driver.getAutosave();
		// prevent the driver from beginning transactions by itself and from preparing
		// the statement again
		connection.setAutoCommit(true);
		driver.setAutosave(AutoSave.NEVER);
		boolean usable = false;
		try {
			Optional<String> found = (session(connection) != driver.getBackendPID()) ? findByStatement(connection)
					: Optional.empty();
			usable = found.isEmpty();
			return found;
		}
		finally {
			if (usable) {
				driver.setAutosave(autoSave);
				connection.setAutoCommit(autoCommit);
			}
			else {
				// the connection may be in a transaction, and the driver might close the
				// statement in the session of another client
				connection.abort(Runnable::run);
			}
		}
	}

	private Optional<String> findByStatement(Connection connection) throws SQLException {
		try (PreparedStatement statement = connection
			.prepareStatement(SESSION_QUERY + ", '" + this.token + "'" + CONDITION)) {
			statement.unwrap(PGStatement.class).setPrepareThreshold(1);
			for (int i = 1; i <= PARAMETERS; i++) {
				statement.setString(i, "ids");
			}
			for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
				execute(connection, "begin");
				int firstSession = session(statement);
				execute(connection, "rollback");
				try (ThirdTransaction third = new ThirdTransaction()) {
					third.begin();
					execute(connection, "begin");
					if (session(connection) != firstSession) {
						session(statement);
						execute(connection, "rollback");
						return Optional.empty();
					}
					execute(connection, "rollback");
				}
			}
			return Optional.empty();
		}
		catch (SQLException ex) {
			if (!isLostStatement(ex)) {
				throw ex;
			}
			return Optional.of("SQLState " + ex.getSQLState());
		}
	}

	/**
	 * Return whether the session lacks the prepared statement, or has another statement
	 * with the same name.
	 */
	private static boolean isLostStatement(SQLException failure) {
		return TransactionPooler.LOST_STATEMENT_STATES.contains(String.valueOf(failure.getSQLState()))
				|| failure instanceof AnotherStatementException;
	}

	/**
	 * Return whether the server, rather than a pooler, has rejected the number of
	 * parameters.
	 */
	private static boolean isParameterMismatch(SQLException failure) {
		if (!PROTOCOL_VIOLATION.equals(failure.getSQLState()) || !(failure instanceof PSQLException rejection)) {
			return false;
		}
		ServerErrorMessage message = rejection.getServerErrorMessage();
		return message != null && BIND_ROUTINE.equals(message.getRoutine());
	}

	private static int session(Connection connection) throws SQLException {
		try (Statement statement = unnamed(connection); ResultSet rows = statement.executeQuery(SESSION_QUERY)) {
			rows.next();
			return rows.getInt(1);
		}
	}

	/**
	 * Run the probe's statement, and return the process id of the session that executed
	 * it.
	 */
	private int session(PreparedStatement statement) throws SQLException {
		try (ResultSet rows = statement.executeQuery()) {
			if (!rows.next() || !this.token.equals(rows.getString(2))) {
				throw new AnotherStatementException(null);
			}
			return rows.getInt(1);
		}
		catch (SQLException ex) {
			throw isParameterMismatch(ex) ? new AnotherStatementException(ex) : ex;
		}
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = unnamed(connection)) {
			statement.execute(sql);
		}
	}

	private static Statement unnamed(Connection connection) throws SQLException {
		Statement statement = connection.createStatement();
		statement.unwrap(PGStatement.class).setPrepareThreshold(0);
		return statement;
	}

	/**
	 * Thrown if the session has another statement with the same name.
	 */
	private static final class AnotherStatementException extends SQLException {

		private static final long serialVersionUID = 1L;

		AnotherStatementException(@Nullable SQLException cause) {
			super("the session has another statement with the same name", PROTOCOL_VIOLATION, cause);
		}

	}

	/**
	 * The third transaction, which occupies the session of the first one.
	 */
	private final class ThirdTransaction implements AutoCloseable {

		private @Nullable Connection connection;

		private boolean autoCommit;

		/**
		 * Begin the transaction. If the pool has no free connection, do nothing, because
		 * the second transaction may get another session anyway.
		 */
		void begin() throws SQLException {
			CompletableFuture<Connection> borrowed = start(() -> {
				try {
					return PoolerProbe.this.dataSource.getConnection();
				}
				catch (SQLException ex) {
					throw new CompletionException(ex);
				}
			});
			try {
				Connection other = borrowed.get(POOL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
				this.connection = other;
				this.autoCommit = other.getAutoCommit();
				other.setAutoCommit(true);
				execute(other, "begin");
				execute(other, SET_IDLE_LIMIT);
			}
			catch (ExecutionException | TimeoutException ex) {
				borrowed.thenAccept(ThirdTransaction::close);
			}
			catch (InterruptedException ex) {
				borrowed.thenAccept(ThirdTransaction::close);
				Thread.currentThread().interrupt();
			}
		}

		private static void close(Connection late) {
			try {
				late.close();
			}
			catch (SQLException ex) {
				// ignore the failure, because the connection was not used
			}
		}

		@Override
		public void close() {
			try (Connection other = this.connection) {
				if (other != null) {
					try {
						execute(other, "rollback");
						other.setAutoCommit(this.autoCommit);
					}
					catch (SQLException ex) {
						// the server has probably ended the transaction already
						other.abort(Runnable::run);
					}
				}
			}
			catch (SQLException ex) {
				// ignore the failure, because the pool will notice a broken connection
			}
		}

	}

}
