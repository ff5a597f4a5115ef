package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.GaplessStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps the next number of each sequence in a table, one row each, {@code name} and
 * {@code next_value}, and moves it in the caller's transaction.
 * <p>
 * Why there is neither a gap nor a repetition:
 * <ol>
 * <li>One statement both moves the number and tells it ({@link MovedRow}). From there to
 * the transaction's end the row's lock keeps everybody else out, and the move is
 * committed or undone together with what the caller does with the number.</li>
 * <li>The connection is the one that the transaction manager has bound to the
 * transaction. A connection that was merely opened during a transaction of something else
 * would not be committed with it: then nothing is drawn.</li>
 * <li>If a statement failed, the transaction cannot be committed. If a pooler lost the
 * commit, the caller gets an exception ({@link TransactionPooler}).</li>
 * </ol>
 * Why nothing hangs: transactions of this JVM take turns before they reach for the row
 * ({@link SequenceLock}); for those of other instances the statement has a timeout.
 *
 * @since 0.1.0
 */
public final class JdbcGaplessStore implements GaplessStore {

	private final DataSource dataSource;

	private final JdbcDatabase database;

	private final TransactionConflicts conflicts;

	private final TransactionPooler pooler = new TransactionPooler();

	private final Probe probe;

	private final ConcurrentMap<String, SequenceLock> locks = new ConcurrentHashMap<>();

	/**
	 * Create a store. Does no I/O: call {@link #open(Deadline)} before anything else.
	 * @param dataSource the one that the callers' transactions use
	 * @param database the same database, reached without them
	 */
	public JdbcGaplessStore(DataSource dataSource, JdbcDatabase database) {
		this.dataSource = JdbcDatabase.target(dataSource);
		this.database = database;
		this.conflicts = new TransactionConflicts(database);
		this.probe = new Probe(this.dataSource);
	}

	/**
	 * Make sure that the table is there.
	 * @param deadline how long this may take
	 */
	public void open(Deadline deadline) {
		this.database.checkTable(table(), "name, next_value, text_version", deadline);
	}

	@Override
	public void create(String name, long first, int textVersion, Deadline deadline) {
		if (find(name, deadline).isPresent()) {
			return;
		}
		try {
			this.database.transactions()
				.repeat("create sequence '" + name + "'",
						(connection, timeout) -> SqlStatements.update(connection, timeout,
								"insert into " + table() + " (name, next_value, text_version) values (?, ?, ?)", name,
								first, textVersion),
						deadline);
		}
		catch (IdStoreUnavailableException ex) {
			// perhaps another instance was a moment faster
			if (find(name, deadline).isEmpty()) {
				throw ex;
			}
		}
	}

	@Override
	public Draw draw(String name, int count, long last, int textVersion, Deadline deadline) {
		verifyTransaction(name);
		Duration patience = deadline.remaining();
		SequenceLock.Hold hold = this.locks
			.computeIfAbsent(this.database.dialect().locksTables() ? "" : name, (key) -> new SequenceLock())
			.take(deadline, this::commit, (problem) -> noTransaction(name, problem),
					(problem) -> unavailable(name, problem, null));
		RuntimeException before = hold.failure;
		hold.failure = failed(name, "a draw did not end", null);
		try {
			Draw drawn = onConnectionOfTransaction((connection) -> {
				if (connection.getAutoCommit()) {
					throw noTransaction(name, "the transaction has been committed already, or commits every statement");
				}
				Draw draw = draw(connection, deadline, name, count, last, textVersion);
				this.pooler.doubtfulTransaction(this.database.dialect(), connection, JdbcTransactions.seconds(deadline))
					.ifPresent((id) -> hold.verifyCommit(() -> verifyCommitted(name, id, patience)));
				return draw;
			});
			hold.failure = before;
			return drawn;
		}
		catch (IdGenerationException | Error ex) {
			hold.failure = failed(name, ex.toString(), ex);
			throw ex;
		}
		catch (SQLException | RuntimeException ex) {
			RuntimeException failure = failed(name, ex);
			hold.failure = failure;
			throw failure;
		}
	}

	private void commit() {
		try {
			onConnectionOfTransaction((connection) -> {
				if (!connection.getAutoCommit()) {
					connection.commit();
				}
				return true;
			});
		}
		catch (SQLException | RuntimeException ex) {
			ConcurrencyFailureException conflict = this.conflicts.of("Commit a number that was drawn after a commit",
					ex);
			throw (conflict != null) ? conflict : new IdStoreUnavailableException(
					"A number that was drawn after a commit is lost: " + SqlFailure.describe(ex), ex);
		}
	}

	private void verifyCommitted(String name, long transaction, Duration patience) {
		boolean committed = this.database.transactions()
			.read("verify the commit of transaction " + transaction + ", which drew from the gapless sequence '" + name
					+ "'", (connection, timeout) -> TransactionPooler.isCommitted(connection, timeout, transaction),
					Deadline.after(TimeSource.system(), patience));
		if (!committed) {
			throw new IdStoreUnavailableException("The transaction that drew from the gapless sequence '" + name
					+ "' was not committed, although the driver reported so: a pooler has executed another statement"
					+ " instead of the commit. Add prepareThreshold=0 to the URL of the DataSource.");
		}
	}

	private <T> T onConnectionOfTransaction(Work<T> work) throws SQLException {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			return work.run(connection);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private RuntimeException failed(String name, Exception failure) {
		this.pooler.watch(failure);
		ConcurrencyFailureException conflict = this.conflicts
			.of("Draw a number from the gapless sequence '" + name + "'", failure);
		if (conflict != null) {
			return conflict;
		}
		return failed(name, SqlFailure.describe(failure), failure);
	}

	private IdStoreUnavailableException failed(String name, String problem, @Nullable Throwable cause) {
		return unavailable(name, problem + ". The transaction must be rolled back", cause);
	}

	private Draw draw(Connection connection, Deadline deadline, String name, int count, long last, int textVersion)
			throws SQLException {
		OptionalLong next = MovedRow.move(connection, JdbcTransactions.seconds(deadline), this.database.dialect(),
				table(), "next_value", count, Sql.NONE, new Sql("name = ? and next_value <= ?", name, last - count + 1)
					.and((textVersion > 0) ? new Sql(" and text_version = ?", textVersion) : Sql.NONE));
		if (next.isEmpty()) {
			verifySecrets(connection, JdbcTransactions.seconds(deadline), name, textVersion);
			return new Draw(false,
					read(connection, JdbcTransactions.seconds(deadline), name).orElseThrow(() -> vanished(name)));
		}
		return new Draw(true, next.getAsLong() - count);
	}

	private void verifySecrets(Connection connection, int timeout, String name, int textVersion) throws SQLException {
		int stored = SqlStatements
			.queryOne(connection, timeout, (row) -> row.getInt(1),
					"select text_version from " + table() + " where name = ?", name)
			.orElse(textVersion);
		if (stored != textVersion) {
			throw KeySpaceMismatchException.ofSecrets(name, stored, textVersion);
		}
	}

	@Override
	public boolean redefine(String name, int textVersion, long most, Deadline deadline) {
		return this.database.transactions().repeat("add a secret to sequence '" + name + "'", (connection, timeout) -> {
			SqlStatements.update(connection, timeout,
					"update " + table() + " set text_version = ? where name = ? and next_value <= ?", textVersion, name,
					most);
			return SqlStatements
				.queryOne(connection, timeout, (row) -> row.getInt(1),
						"select text_version from " + table() + " where name = ?", name)
				.orElseThrow(() -> vanished(name)) == textVersion;
		}, deadline);
	}

	private void verifyTransaction(String name) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()) {
			throw noTransaction(name, "there is no transaction");
		}
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw noTransaction(name, "the transaction is read-only");
		}
		if (!this.probe.transactionIncludesDataSource()) {
			throw noTransaction(name, "the transaction is not one of the DataSource that holds the sequence: it is of"
					+ " JTA, which gapless generators do not support, or of another DataSource");
		}
	}

	@Override
	public long next(String name, Deadline deadline) {
		return find(name, deadline).orElseThrow(() -> vanished(name));
	}

	private Optional<Long> find(String name, Deadline deadline) {
		return this.database.transactions()
			.look("read sequence '" + name + "'", (connection, timeout) -> read(connection, timeout, name), deadline);
	}

	private Optional<Long> read(Connection connection, int timeout, String name) throws SQLException {
		return SqlStatements.queryOne(connection, timeout, (row) -> row.getLong(1),
				"select next_value from " + table() + " where name = ?", name);
	}

	private String table() {
		return this.database.tables().gapless();
	}

	private static IdGenerationException noTransaction(String name, String problem) {
		return new IdGenerationException("No number can be drawn from the gapless sequence '" + name + "': " + problem
				+ ". A number belongs to the transaction that draws it, or else a failure would leave a gap: call from"
				+ " a @Transactional method, or inside a TransactionTemplate.");
	}

	private static IdStoreUnavailableException unavailable(String name, String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException(
				"No number could be drawn from the gapless sequence '" + name + "': " + problem + ".", cause);
	}

	private KeySpaceRegressionException vanished(String name) {
		return new KeySpaceRegressionException("The row of the gapless sequence '" + name + "' has vanished from "
				+ table() + ". Restore it with the number that comes next, or restart the application to begin again.");
	}

	private interface Work<T> {

		T run(Connection connection) throws SQLException;

	}

	/**
	 * Knows whether the current transaction is one of a DataSource, as the transaction
	 * managers of JDBC and JPA leave their marks.
	 */
	private static final class Probe extends DataSourceTransactionManager {

		private static final long serialVersionUID = 1L;

		Probe(DataSource dataSource) {
			super(dataSource);
		}

		boolean transactionIncludesDataSource() {
			if (isExistingTransaction(doGetTransaction())) {
				return true;
			}
			// JPA's; one that was opened where there was none is marked as
			// synchronized
			return TransactionSynchronizationManager.getResource(obtainDataSource()) instanceof ConnectionHolder holder
					&& !holder.isSynchronizedWithTransaction();
		}

	}

}
