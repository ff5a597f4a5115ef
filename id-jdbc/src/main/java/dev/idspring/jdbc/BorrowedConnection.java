package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A connection that is borrowed from a DataSource. When it is closed, the settings that
 * this class has changed are restored, even after failures. The only exception is an idle
 * timeout that the session is to retain. Spring's {@code DataSourceTransactionManager} is
 * not used, because it restores neither the network timeout nor session settings.
 */
final class BorrowedConnection implements AutoCloseable {

	private final Connection connection;

	private @Nullable Integer networkTimeout;

	private @Nullable Boolean readOnly;

	private @Nullable Boolean autoCommit;

	private @Nullable Integer isolation;

	private @Nullable Dialect idleTimeoutDialect;

	private boolean transactionBegun;

	private boolean committed;

	BorrowedConnection(Connection connection) {
		this.connection = connection;
	}

	Connection connection() {
		return this.connection;
	}

	/**
	 * Prepare the connection for work.
	 * @param readUncommitted whether the work reads uncommitted data
	 * @param prepared whether the store owns the connection and gets it with auto-commit
	 * off
	 * @param inTransaction whether the work runs in a transaction; otherwise each of its
	 * statements is committed automatically
	 */
	void prepare(boolean readUncommitted, boolean prepared, boolean inTransaction) throws SQLException {
		if (!inTransaction) {
			// the store uses auto-commit mode only on databases on which these two calls
			// take no round trip
			this.autoCommit = this.connection.getAutoCommit();
			this.connection.setAutoCommit(true);
			return;
		}
		if (prepared && !readUncommitted) {
			this.transactionBegun = true;
			return;
		}
		if (this.connection.isReadOnly()) {
			this.connection.setReadOnly(false);
			this.readOnly = true;
		}
		if (readUncommitted) {
			this.isolation = this.connection.getTransactionIsolation();
			this.connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
		}
		if (this.connection.getAutoCommit()) {
			this.autoCommit = true;
			this.connection.setAutoCommit(false);
		}
		this.transactionBegun = true;
	}

	void limitNetworkTimeout(Duration timeout) throws SQLException {
		int before = this.connection.getNetworkTimeout();
		int limit = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
		if (before == 0 || before > limit) {
			this.connection.setNetworkTimeout(Runnable::run, limit);
			this.networkTimeout = before;
		}
	}

	void setIdleTransactionTimeout(Dialect dialect, boolean retained, int timeoutSeconds) throws SQLException {
		// set this field first, because the call may take effect even if it fails
		this.idleTimeoutDialect = retained ? null : dialect;
		dialect.setIdleTransactionTimeout(this.connection, timeoutSeconds);
	}

	void markCommitted() {
		this.committed = true;
	}

	@Override
	public void close() throws SQLException {
		SQLException failure = null;
		if (this.transactionBegun && !this.committed) {
			failure = collectFailure(failure, this::rollback);
		}
		Dialect idleTimeoutDialect = this.idleTimeoutDialect;
		if (idleTimeoutDialect != null) {
			failure = collectFailure(failure, () -> resetIdleTransactionTimeout(idleTimeoutDialect));
		}
		Integer isolation = this.isolation;
		if (isolation != null) {
			failure = collectFailure(failure, () -> this.connection.setTransactionIsolation(isolation));
		}
		Boolean autoCommit = this.autoCommit;
		if (autoCommit != null) {
			failure = collectFailure(failure, () -> this.connection.setAutoCommit(autoCommit));
		}
		if (this.readOnly != null) {
			failure = collectFailure(failure, () -> this.connection.setReadOnly(true));
		}
		Integer networkTimeout = this.networkTimeout;
		if (networkTimeout != null) {
			failure = collectFailure(failure, () -> this.connection.setNetworkTimeout(Runnable::run, networkTimeout));
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
			// otherwise the pool may hand out the connection in the middle of a
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
			// no other borrower may get the connection with this timeout
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

}
