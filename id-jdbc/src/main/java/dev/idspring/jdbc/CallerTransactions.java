package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.jdbc.TransactionManagers.Mark;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.ConnectionProxy;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Finds the calling thread's transaction for drawing numbers, from the resources that
 * JDBC, JPA and JTA transaction managers bind to the thread.
 * <ol>
 * <li>It is the transaction whose connection is bound to the DataSource of the sequence,
 * or to one that yields the same connections.</li>
 * <li>It must be the innermost transaction, as far as {@link TransactionManagers} knows:
 * Spring calls synchronizations when the innermost transaction ends.</li>
 * <li>If there is none, it may be a JTA transaction in which the DataSource takes part by
 * itself. Then its connections auto-commit outside of a transaction, and do not
 * inside.</li>
 * </ol>
 */
final class CallerTransactions {

	static final String REMEDY = "call from a @Transactional method, or inside a TransactionTemplate";

	private static final long PATIENCE_SECONDS = 5;

	private final DataSource dataSource;

	private final TransactionManagers managers;

	private final Probe probe;

	/**
	 * Whether connections auto-commit outside of a transaction, once known.
	 */
	private volatile @Nullable Boolean autoCommit;

	CallerTransactions(DataSource dataSource, TransactionManagers managers) {
		this.dataSource = dataSource;
		this.managers = managers;
		this.probe = new Probe(dataSource);
	}

	/**
	 * Return the transaction.
	 * @param refusal creates the exception from a problem and a remedy
	 */
	CallerTransaction current(BiFunction<String, String, IdGenerationException> refusal) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()) {
			throw refusal.apply("there is no transaction", REMEDY);
		}
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw refusal.apply("the transaction is read-only", REMEDY);
		}
		Mark mark = this.managers.current();
		DataSource bound = bound(mark).orElse(null);
		if (bound != null) {
			return new CallerTransaction(bound, mark, false);
		}
		boolean jta = mark == null || mark.jta();
		if (jta && takesPart()) {
			return new CallerTransaction(this.dataSource, mark, true);
		}
		String own = this.managers.describe(this.dataSource);
		throw refusal.apply(
				"the transaction is not one of the DataSource that holds the sequence (" + own + "), but of "
						+ this.managers.describe(mark) + (jta ? ", in which that DataSource takes no part" : ""),
				"begin a transaction of " + own + " for the number and its row. In a transaction of JTA the DataSource"
						+ " must be one that takes part in it");
	}

	/**
	 * Verify that a transaction is the innermost one.
	 * @param refusal creates the exception from a problem and a remedy
	 */
	void verifyInnermost(CallerTransaction transaction, BiFunction<String, String, IdGenerationException> refusal) {
		if (!transaction.isInnermost()) {
			String own = this.managers.describe(this.dataSource);
			throw refusal.apply(
					"the transaction of " + own + " is not the innermost one, as "
							+ this.managers.describe(transaction.innermost()) + " has begun another one inside of it",
					"begin a transaction of " + own + " of its own (REQUIRES_NEW) for the number and its row");
		}
	}

	/**
	 * Return the DataSource to which the transaction's connection is bound, preferably
	 * that of the innermost transaction.
	 */
	private Optional<DataSource> bound(@Nullable Mark mark) {
		DataSource innermost = (mark != null) ? mark.dataSource() : null;
		if (innermost != null && DataSourceRelation.exists(this.dataSource, innermost)) {
			return Optional.of(innermost);
		}
		if (this.probe.findsTransaction()) {
			return Optional.of(this.dataSource);
		}
		return TransactionSynchronizationManager.getResourceMap()
			.keySet()
			.stream()
			.flatMap((key) -> (key instanceof DataSource other) ? Stream.of(other) : Stream.empty())
			.filter((other) -> DataSourceRelation.exists(this.dataSource, other) && new Probe(other).findsTransaction())
			.findFirst();
	}

	/**
	 * Return whether connections take part in a transaction that Spring did not begin on
	 * them.
	 */
	private boolean takesPart() {
		try {
			return onConnection(this.dataSource, (connection) -> !connection.getAutoCommit()) && autoCommit();
		}
		catch (SQLException ex) {
			throw unknown(ex);
		}
	}

	private boolean autoCommit() {
		Boolean known = this.autoCommit;
		if (known == null) {
			// use a new thread, which has no transaction
			CompletableFuture<Boolean> found = CompletableFuture.supplyAsync(this::readAutoCommit,
					(task) -> new Thread(null, task, "ids-connection", 0, false).start());
			try {
				known = found.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw unknown(ex);
			}
			catch (ExecutionException | TimeoutException ex) {
				throw unknown(ex);
			}
			this.autoCommit = known;
		}
		return known;
	}

	private boolean readAutoCommit() {
		try (Connection connection = this.dataSource.getConnection()) {
			return connection.getAutoCommit();
		}
		catch (SQLException ex) {
			throw unknown(ex);
		}
	}

	private IdStoreUnavailableException unknown(Exception cause) {
		return new IdStoreUnavailableException(
				"It could not be found out whether " + this.managers.describe(this.dataSource)
						+ " takes part in transactions of JTA: " + SqlFailure.describe(cause, this.dataSource),
				cause);
	}

	/**
	 * Return whether a transaction inserts a row.
	 */
	boolean inserts(CallerTransaction transaction, Insert insert) throws SQLException {
		Connection row = insert.connection();
		DataSource target = (insert.dataSource() != null) ? JdbcDatabase.target(insert.dataSource()) : null;
		if (row != null) {
			return inserts(transaction, row);
		}
		if (target == null || target == transaction.dataSource()) {
			return true;
		}
		// never open another connection, which could only be the wrong one
		return (transaction.jta() || TransactionSynchronizationManager.hasResource(target))
				&& onConnection(target, (connection) -> inserts(transaction, connection));
	}

	private static boolean inserts(CallerTransaction transaction, Connection row) throws SQLException {
		return onConnection(transaction.dataSource(), (connection) -> connection == row
				|| target(connection) == target(row) || (transaction.jta() && !row.getAutoCommit()));
	}

	private static Connection target(Connection connection) {
		Connection target = connection;
		while (target instanceof ConnectionProxy proxy) {
			target = proxy.getTargetConnection();
		}
		return target;
	}

	/**
	 * Run work on the connection that Spring provides for a DataSource.
	 */
	static <T> T onConnection(DataSource dataSource, Work<T> work) throws SQLException {
		Connection connection = DataSourceUtils.getConnection(dataSource);
		try {
			return work.run(connection);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, dataSource);
		}
	}

	/**
	 * A transaction of the calling thread.
	 *
	 * @param dataSource the DataSource to which Spring has bound its connection
	 * @param innermost the mark of the innermost transaction, if it has one
	 * @param jta whether it is a JTA transaction
	 */
	record CallerTransaction(DataSource dataSource, @Nullable Mark innermost, boolean jta) {

		boolean isInnermost() {
			return this.jta || this.innermost == null
					|| this.innermost.connection() == TransactionSynchronizationManager.getResource(this.dataSource);
		}

	}

	/**
	 * Work on a connection.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		T run(Connection connection) throws SQLException;

	}

	/**
	 * Detects whether a JDBC or JPA transaction manager has bound a connection.
	 */
	private static final class Probe extends DataSourceTransactionManager {

		private static final long serialVersionUID = 1L;

		private Probe(DataSource dataSource) {
			super(dataSource);
		}

		boolean findsTransaction() {
			if (!(TransactionSynchronizationManager
				.getResource(obtainDataSource()) instanceof ConnectionHolder holder)) {
				return false;
			}
			// the second is JPA's: connections opened without a manager are synchronized
			return isExistingTransaction(doGetTransaction()) || !holder.isSynchronizedWithTransaction();
		}

	}

}
