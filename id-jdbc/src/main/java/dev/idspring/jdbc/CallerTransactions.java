package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
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
 * Finds the transaction in which the calling thread must draw a gapless number.
 * <ol>
 * <li>JDBC and JPA transaction managers bind a connection to the thread. The transaction
 * is the one whose connection is bound for the DataSource of the sequence, or for another
 * DataSource that may yield the same connections.</li>
 * <li>The transaction must be the innermost one that {@link TransactionManagers} knows.
 * Spring notifies the code that draws the number only at the end of the innermost
 * transaction.</li>
 * <li>If no such connection is bound, the DataSource may participate in a JTA
 * transaction. It does if its connections auto-commit outside a transaction, but not
 * inside this one.</li>
 * </ol>
 */
final class CallerTransactions {

	static final String REMEDY = "call from a @Transactional method, or inside a TransactionTemplate";

	private static final long TIMEOUT_SECONDS = 5;

	private final DataSource dataSource;

	private final TransactionManagers managers;

	private final Probe probe;

	/**
	 * The attempt to find out whether connections auto-commit outside a transaction, or
	 * {@code null} before the first attempt and after a failed one. Concurrent calls
	 * share the attempt.
	 */
	private final AtomicReference<@Nullable CompletableFuture<Boolean>> autoCommits = new AtomicReference<>();

	CallerTransactions(DataSource dataSource, TransactionManagers managers) {
		this.dataSource = dataSource;
		this.managers = managers;
		this.probe = new Probe(dataSource);
	}

	/**
	 * Return the transaction of the calling thread.
	 * @param toRejection creates an exception from a problem and a remedy
	 */
	CallerTransaction current(BiFunction<String, String, IdGenerationException> toRejection) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()) {
			throw toRejection.apply("there is no transaction", REMEDY);
		}
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw toRejection.apply("the transaction is read-only", REMEDY);
		}
		Mark mark = this.managers.innermostMark();
		DataSource bound = boundDataSource(mark).orElse(null);
		if (bound != null) {
			return new CallerTransaction(bound, mark, false);
		}
		boolean jta = mark == null || mark.jta();
		if (jta && participatesInJta()) {
			return new CallerTransaction(this.dataSource, mark, true);
		}
		String ownName = this.managers.describe(this.dataSource);
		throw toRejection.apply(
				"the transaction does not belong to the DataSource of the sequence (" + ownName + "), but to "
						+ this.managers.describe(mark)
						+ (jta ? ", and the DataSource of the sequence does not participate in the transaction" : ""),
				"begin a transaction on " + ownName + " for the number and its row. If this is a JTA transaction, the"
						+ " DataSource must participate in it");
	}

	/**
	 * Verify that a transaction is the innermost one.
	 * @param toRejection creates an exception from a problem and a remedy
	 */
	void verifyInnermost(CallerTransaction transaction, BiFunction<String, String, IdGenerationException> toRejection) {
		if (!transaction.isInnermost()) {
			String ownName = this.managers.describe(this.dataSource);
			throw toRejection.apply(
					"the transaction on " + ownName + " is not the innermost one, because "
							+ this.managers.describe(transaction.innermost()) + " began another transaction inside it",
					"begin a separate transaction on " + ownName + " (REQUIRES_NEW) for the number and its row");
		}
	}

	/**
	 * Verify that a row is inserted in the given transaction, and that this transaction
	 * is the innermost one.
	 * @param toRejection creates an exception from a problem and a remedy
	 */
	void verifyInsert(CallerTransaction transaction, Insert insert,
			BiFunction<String, String, IdGenerationException> toRejection) throws SQLException {
		if (!insertsIn(transaction, insert)) {
			String ownName = this.managers.describe(transaction.dataSource());
			String other = this.managers.describe(insert.dataSource());
			Mark mark = transaction.innermost();
			String manager = (mark == null) ? ""
					: transaction.isInnermost() ? ", begun by " + this.managers.describe(mark)
							: ", inside which " + this.managers.describe(mark) + " began another transaction";
			throw toRejection.apply(
					"the row is inserted through " + (other.equals(ownName) ? "another connection of " + other : other)
							+ ", but the number would be drawn in the transaction on " + ownName + manager,
					"insert the row through " + ownName
							+ " in that transaction, or use a generator with another strategy");
		}
		verifyInnermost(transaction, toRejection);
	}

	/**
	 * Verify that rows can be inserted in the transactions that draw their numbers.
	 * @param sequence the name of the sequence, for the message
	 * @param row a description of the rows, for the message
	 * @param dataSources the DataSources through which the rows are inserted, empty if
	 * unknown
	 */
	void verifyInserts(String sequence, String row, Collection<DataSource> dataSources) {
		if (dataSources.isEmpty() || this.managers.hasJta()
				|| dataSources.stream().anyMatch((other) -> DataSourceRelation.exists(this.dataSource, other))) {
			return;
		}
		String ownName = this.managers.describe(this.dataSource);
		String others = dataSources.stream().map(this.managers::describe).collect(Collectors.joining(" and "));
		throw new IdSetupException(
				row + " gets numbers from the gapless sequence '" + sequence + "', which are drawn in transactions on "
						+ ownName + ", but its rows are inserted through " + others
						+ ". If only the draw or only the insert is rolled back, a number is missing or issued twice.",
				"Insert the rows through " + ownName
						+ ", or use a generator with another strategy. If the rows of all gapless numbers are inserted"
						+ " through one other DataSource, mark that one with @Primary, or declare a GaplessStore bean"
						+ " for it: new JdbcGaplessStore(…).");
	}

	/**
	 * Verify that no statements were run through the DataSource of the sequence. The
	 * transaction uses another DataSource, and would not include these statements.
	 * @param toRejection creates an exception from a problem and a remedy
	 */
	void verifyNoOtherStatements(CallerTransaction transaction,
			BiFunction<String, String, IdGenerationException> toRejection) {
		if (TransactionSynchronizationManager.hasResource(this.dataSource)) {
			String ownName = this.managers.describe(this.dataSource);
			String other = this.managers.describe(transaction.dataSource());
			throw toRejection.apply("the transaction belongs to " + other + ", but statements were run through "
					+ ownName + ", and these are not part of the transaction", "use only one of the two DataSources");
		}
	}

	/**
	 * Find the DataSource for which the connection of a transaction is bound to the
	 * thread: that of the sequence, or a {@linkplain DataSourceRelation related} one.
	 * Prefer the DataSource of the innermost transaction.
	 */
	private Optional<DataSource> boundDataSource(@Nullable Mark mark) {
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
	 * Return whether connections of the DataSource participate in the current JTA
	 * transaction.
	 */
	private boolean participatesInJta() {
		try {
			return onConnection(this.dataSource, (connection) -> !connection.getAutoCommit()) && autoCommits();
		}
		catch (SQLException ex) {
			throw unknownParticipation(ex);
		}
	}

	private boolean autoCommits() {
		CompletableFuture<Boolean> newAttempt = new CompletableFuture<>();
		CompletableFuture<Boolean> earlier = this.autoCommits.compareAndExchange(null, newAttempt);
		CompletableFuture<Boolean> attempt = (earlier != null) ? earlier : newAttempt;
		if (earlier == null) {
			// read in a new thread, which has no transaction
			newAttempt.completeAsync(this::readAutoCommit,
					(task) -> new Thread(null, task, "ids-connection", 0, false).start());
		}
		try {
			return attempt.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unknownParticipation(ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			// the next call begins another attempt
			this.autoCommits.compareAndSet(attempt, null);
			throw unknownParticipation(ex);
		}
	}

	private boolean readAutoCommit() {
		try (Connection connection = this.dataSource.getConnection()) {
			return connection.getAutoCommit();
		}
		catch (SQLException ex) {
			throw unknownParticipation(ex);
		}
	}

	private IdStoreUnavailableException unknownParticipation(Exception cause) {
		return new IdStoreUnavailableException("It is not known whether " + this.managers.describe(this.dataSource)
				+ " participates in JTA transactions: " + SqlFailure.describe(cause, this.dataSource), cause);
	}

	/**
	 * Return {@code true} if the connection that inserts a row participates in the given
	 * transaction, or if neither the connection nor its DataSource is known.
	 */
	private boolean insertsIn(CallerTransaction transaction, Insert insert) throws SQLException {
		Connection rowConnection = insert.connection();
		DataSource target = (insert.dataSource() != null) ? JdbcDatabase.target(insert.dataSource()) : null;
		if (rowConnection != null) {
			return insertsIn(transaction, rowConnection);
		}
		if (target == null || target == transaction.dataSource()) {
			return true;
		}
		// without JTA, a new connection would not belong to the transaction, so never
		// open one
		return (transaction.jta() || TransactionSynchronizationManager.hasResource(target))
				&& onConnection(target, (connection) -> insertsIn(transaction, connection));
	}

	private static boolean insertsIn(CallerTransaction transaction, Connection other) throws SQLException {
		return onConnection(transaction.dataSource(), (connection) -> connection == other
				|| target(connection) == target(other) || (transaction.jta() && !other.getAutoCommit()));
	}

	private static Connection target(Connection connection) {
		Connection target = connection;
		while (target instanceof ConnectionProxy proxy) {
			target = proxy.getTargetConnection();
		}
		return target;
	}

	/**
	 * Run work on the connection that Spring provides for a DataSource in the current
	 * transaction.
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
	 * @param dataSource the DataSource for which Spring has bound the connection to the
	 * thread, or, if {@code jta} is {@code true}, the DataSource of the sequence
	 * @param innermost the mark of the thread's innermost transaction, or {@code null} if
	 * no known manager began it
	 * @param jta whether the connection participates in a JTA transaction, and Spring has
	 * not bound it to the thread
	 */
	record CallerTransaction(DataSource dataSource, @Nullable Mark innermost, boolean jta) {

		boolean isInnermost() {
			return this.jta || this.innermost == null
					|| this.innermost.connection() == TransactionSynchronizationManager.getResource(this.dataSource);
		}

	}

	/**
	 * Work that uses a connection.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		T run(Connection connection) throws SQLException;

	}

	/**
	 * Detects whether a JDBC or JPA transaction manager has bound a connection of a
	 * DataSource to the thread.
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
			// the second condition detects JPA transactions. Their connections are not
			// marked as synchronized, unlike connections that DataSourceUtils bound
			// during another manager's transaction
			return isExistingTransaction(doGetTransaction()) || !holder.isSynchronizedWithTransaction();
		}

	}

}
