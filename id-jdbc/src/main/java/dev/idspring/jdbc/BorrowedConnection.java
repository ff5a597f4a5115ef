package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A connection that is borrowed from a DataSource. {@link #close()} restores the settings
 * that this class has changed, even after failures. Only the idle timeout of the store's
 * own session remains set. Spring's {@code DataSourceTransactionManager} is not used,
 * because it restores neither the network timeout nor session settings.
 */
final class BorrowedConnection implements AutoCloseable {

	private final Connection connection;

	/** The steps that restore changed settings, in the reverse order of the changes. */
	private final Deque<Step> restorations = new ArrayDeque<>();

	private boolean transactionBegun;

	private boolean committed;

	BorrowedConnection(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Prepare the connection for work.
	 * @param readUncommitted whether the work reads uncommitted data
	 * @param isOwn whether the store owns the connection and gets it with auto-commit off
	 * @param inTransaction whether the work runs in a transaction. If {@code false}, each
	 * statement is committed automatically. Callers pass {@code false} only if the
	 * database needs no round trip to change auto-commit
	 */
	void prepare(boolean readUncommitted, boolean isOwn, boolean inTransaction) throws SQLException {
		if (!isOwn || !inTransaction || readUncommitted) {
			makeWritable();
			if (readUncommitted) {
				int isolation = this.connection.getTransactionIsolation();
				this.restorations.push(() -> this.connection.setTransactionIsolation(isolation));
				this.connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
			}
			if (this.connection.getAutoCommit() == inTransaction) {
				this.restorations.push(() -> this.connection.setAutoCommit(inTransaction));
				this.connection.setAutoCommit(!inTransaction);
			}
		}
		this.transactionBegun = inTransaction;
	}

	/**
	 * Prepare the connection for a script that creates tables, without changing its
	 * auto-commit mode.
	 */
	void prepareForScript() throws SQLException {
		makeWritable();
		this.transactionBegun = !this.connection.getAutoCommit();
	}

	private void makeWritable() throws SQLException {
		if (this.connection.isReadOnly()) {
			this.restorations.push(() -> this.connection.setReadOnly(true));
			this.connection.setReadOnly(false);
		}
	}

	void limitNetworkTimeout(Duration timeout) throws SQLException {
		int before = this.connection.getNetworkTimeout();
		int limit = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
		if (before == 0 || before > limit) {
			this.restorations.push(() -> this.connection.setNetworkTimeout(Runnable::run, before));
			this.connection.setNetworkTimeout(Runnable::run, limit);
		}
	}

	void setIdleTransactionTimeout(Dialect dialect, boolean retained, int timeoutSeconds) throws SQLException {
		if (!retained) {
			// add this step before the change, because the change may take effect even if
			// the call fails
			this.restorations.push(() -> resetIdleTransactionTimeout(dialect));
		}
		dialect.setIdleTransactionTimeout(this.connection, timeoutSeconds);
	}

	/**
	 * Commit the transaction, if there is one, and verify that the transaction has ended.
	 * PostgreSQL's driver executes a prepared commit by its name. A pooler may send this
	 * name to another session, in which the name belongs to a different statement.
	 */
	void commit(Dialect dialect) throws SQLException {
		if (this.transactionBegun) {
			BooleanSupplier inTransaction = TransactionPooler.inTransactionCheck(dialect, this.connection);
			this.connection.commit();
			if (inTransaction.getAsBoolean()) {
				this.connection.abort(Runnable::run);
				throw new CommitLostException();
			}
		}
		markCommitted();
	}

	void markCommitted() {
		this.committed = true;
	}

	@Override
	public void close() throws SQLException {
		// end the transaction first, because drivers reject changes of settings in a
		// transaction that has failed
		SQLException failure = (this.transactionBegun && !this.committed) ? collectFailure(null, this::rollback) : null;
		for (Step restoration : this.restorations) {
			failure = collectFailure(failure, restoration);
		}
		failure = collectFailure(failure, this.connection::close);
		if (failure != null && !this.committed) {
			throw failure;
		}
	}

	private void rollback() throws SQLException {
		try {
			this.connection.rollback();
		}
		catch (SQLException | RuntimeException ex) {
			// without the abort, the pool may hand out the connection in the middle of a
			// transaction
			collectFailure(null, () -> this.connection.abort(Runnable::run));
			throw ex;
		}
	}

	private void resetIdleTransactionTimeout(Dialect dialect) throws SQLException {
		try {
			dialect.resetIdleTransactionTimeout(this.connection);
		}
		catch (SQLException | RuntimeException ex) {
			// abort, so that no other borrower gets the connection with this timeout
			this.connection.abort(Runnable::run);
			throw ex;
		}
	}

	private static @Nullable SQLException collectFailure(@Nullable SQLException earlier, Step step) {
		try {
			step.run();
			return earlier;
		}
		catch (SQLException | RuntimeException ex) {
			if (earlier == null) {
				return (ex instanceof SQLException sql) ? sql : new SQLException(ex.getMessage(), ex);
			}
			earlier.addSuppressed(ex);
			return earlier;
		}
	}

	private interface Step {

		void run() throws SQLException;

	}

	/**
	 * Thrown if the driver reported a successful commit, but a pooler had sent the commit
	 * to a session that executed another statement instead.
	 */
	static final class CommitLostException extends SQLException {

		private static final long serialVersionUID = 1L;

		CommitLostException() {
			// the SQLState for a connection that is lost during a commit
			super("a pooler sent the commit to a session that executed another statement. " + TransactionPooler.REMEDY,
					"08007");
		}

	}

}
