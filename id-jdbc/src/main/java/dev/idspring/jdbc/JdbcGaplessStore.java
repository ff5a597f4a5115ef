package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.jdbc.CallerTransactions.CallerTransaction;
import dev.idspring.jdbc.CallerTransactions.Work;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.store.StoreArguments;
import dev.idspring.text.IdScope;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Stores the next number of each gapless sequence in a table, with one row per scope and
 * period ({@link IdScope}). A draw advances the number in the caller's transaction.
 * <p>
 * Numbers have no gaps and are never issued twice:
 * <ol>
 * <li>A draw advances and returns the number atomically ({@link CounterUpdate}). Until
 * the transaction ends, the row lock blocks all other draws from this row. The
 * transaction commits or rolls back the new number together with the caller's
 * changes.</li>
 * <li>A draw uses the connection of the caller's transaction
 * ({@link CallerTransactions}). The draw is rejected if the connection was merely opened
 * during a transaction of another resource, because that transaction would not commit the
 * connection's changes.</li>
 * <li>A draw is rejected if the row that gets the number is known to be inserted on
 * another connection ({@link #verifyInsert}).</li>
 * <li>After a failed draw, the transaction can commit only if it first rolls back to a
 * savepoint from before the failure.</li>
 * <li>If a connection pooler loses the commit of a transaction without JTA, the code that
 * commits gets an exception ({@link TransactionPooler}).</li>
 * </ol>
 * No caller waits forever: {@link SequenceLock} limits the wait for other transactions of
 * this JVM, and a statement timeout limits the wait for other instances.
 *
 * @since 0.1.0
 */
public final class JdbcGaplessStore implements ScopedGaplessStore {

	/** The maximum size of {@link #knownScopes}. The set is cleared when it is full. */
	private static final int MAX_KNOWN_SCOPES = 10_000;

	/**
	 * The condition that a sequence is open. The script that the command {@code leave}
	 * prints closes a sequence by setting its scope count to -1.
	 */
	private static final Sql OPEN = new Sql(" and scope_count >= 0");

	private final DataSource dataSource;

	private final JdbcDatabase database;

	private final TransactionConflicts conflicts;

	private final TransactionPooler pooler = new TransactionPooler();

	private final CallerTransactions transactions;

	/**
	 * The resource that Spring had bound for the transaction when {@link #verifyInsert}
	 * accepted an insert. The next draw reads and clears this field.
	 */
	private final ThreadLocal<@Nullable Object> insertResource = new ThreadLocal<>();

	private final LongSupplier clockOffset;

	private final SequenceLocks locks = new SequenceLocks();

	private final GaplessTable table;

	private final SchemaMismatch schemaMismatch;

	/** The scopes whose rows are known to have been committed. */
	private final Set<String> knownScopes = ConcurrentHashMap.newKeySet();

	/**
	 * Create a store without any I/O. Call {@link #open(Deadline)} before any other
	 * method.
	 * @param dataSource the DataSource that the callers' transactions use
	 * @param database the DataSource's database, for work outside those transactions
	 */
	public JdbcGaplessStore(DataSource dataSource, JdbcDatabase database) {
		this(dataSource, database, new TransactionManagers());
	}

	/**
	 * Create a store that knows the transaction managers of the application, without any
	 * I/O. Call {@link #open(Deadline)} before any other method.
	 * @param dataSource the DataSource that the callers' transactions use
	 * @param database the DataSource's database, for work outside those transactions
	 * @param managers the transaction managers, which may be added later
	 */
	public JdbcGaplessStore(DataSource dataSource, JdbcDatabase database, TransactionManagers managers) {
		this(dataSource, database, managers, () -> 0);
	}

	/**
	 * Create a store that adds an offset to the database's clock.
	 * @param clockOffset the offset in milliseconds
	 */
	JdbcGaplessStore(DataSource dataSource, JdbcDatabase database, LongSupplier clockOffset) {
		this(dataSource, database, new TransactionManagers(), clockOffset);
	}

	private JdbcGaplessStore(DataSource dataSource, JdbcDatabase database, TransactionManagers managers,
			LongSupplier clockOffset) {
		this.clockOffset = clockOffset;
		InvalidSettingException.requireGiven(JdbcGaplessStore.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(JdbcGaplessStore.class, "database", database);
		InvalidSettingException.requireGiven(JdbcGaplessStore.class, "managers", managers);
		this.dataSource = JdbcDatabase.target(dataSource);
		this.database = database;
		this.table = new GaplessTable(database);
		this.schemaMismatch = new SchemaMismatch(database, this.table.name());
		this.conflicts = new TransactionConflicts(database);
		this.transactions = new CallerTransactions(this.dataSource, managers);
		managers.startMarking();
	}

	/**
	 * Verify that the table exists, that the user may read and change it, and that no
	 * pooler loses the prepared statements of the callers' driver.
	 * @param deadline the time by which the operation must end
	 * @throws IdSetupException if a check fails
	 */
	public void open(Deadline deadline) {
		InvalidSettingException.requireGiven(JdbcGaplessStore.class, "deadline", deadline);
		this.database.checkTable(this.table.name(), GaplessTable.COLUMNS, deadline);
		TransactionPooler.verifyNone(this.database.dialect(), this.dataSource, deadline);
	}

	@Override
	public void create(String name, long first, Deadline deadline) {
		StoreArguments.create(name, first, deadline);
		create(name, IdScope.NONE,
				(connection, timeout) -> this.table.insert(connection, timeout, name, IdScope.NONE, first), deadline);
	}

	/**
	 * Create a row in a separate transaction, unless the row exists.
	 */
	private void create(String name, IdScope scope, JdbcTransactions.Work<?> insert, Deadline deadline) {
		if (find(name, scope, deadline).isPresent()) {
			return;
		}
		try {
			this.database.transactions().repeat("create " + describe(name, scope), insert, deadline);
		}
		catch (IdStoreUnavailableException ex) {
			// another instance may have created the row first
			if (find(name, scope, deadline).isEmpty()) {
				throw ex;
			}
		}
	}

	/**
	 * Create the row of a scope in a separate transaction, before the caller's
	 * transaction uses the row. In the caller's transaction, a failed insert would abort
	 * the transaction on PostgreSQL. On InnoDB, by default, an update of the missing row
	 * would lock a gap in the index, which would block inserts of this row by other
	 * transactions.
	 */
	private void createScope(Draws draws, IdScope scope, Deadline deadline) {
		String rowKey = rowKey(draws.name(), scope);
		if (this.knownScopes.contains(rowKey)) {
			return;
		}
		if (find(draws.name(), scope, deadline).isEmpty()) {
			IdScope total = GaplessTable.total(scope.period());
			create(draws.name(), total,
					(connection, timeout) -> this.table.insert(connection, timeout, draws.name(), total, draws.first()),
					deadline);
			create(draws.name(), scope,
					(connection, timeout) -> this.table.insertAndCount(connection, timeout, draws, scope), deadline);
		}
		if (this.knownScopes.size() >= MAX_KNOWN_SCOPES) {
			this.knownScopes.clear();
		}
		this.knownScopes.add(rowKey);
	}

	/**
	 * Create the row of a scope in the caller's transaction, for databases that allow
	 * only one writer at a time.
	 */
	private void createScopeInDraw(Connection connection, int timeout, Draws draws, IdScope scope) throws SQLException {
		if (this.table.read(connection, timeout, draws.name(), scope).isPresent()) {
			return;
		}
		IdScope total = GaplessTable.total(scope.period());
		if (this.table.read(connection, timeout, draws.name(), total).isEmpty()) {
			this.table.insert(connection, timeout, draws.name(), total, draws.first());
		}
		this.table.insertAndCount(connection, timeout, draws, scope);
	}

	@Override
	public Draw draw(String name, int count, long last, Deadline deadline) {
		StoreArguments.draw(name, count, last, deadline);
		return draw(transaction(name), name, IdScope.NONE, deadline, (connection) -> {
			int timeout = JdbcTransactions.seconds(deadline);
			OptionalLong next = this.table.advance(connection, timeout, name, IdScope.NONE, count, last, OPEN);
			if (next.isEmpty()) {
				if (this.table.read(connection, timeout, "scope_count", name, IdScope.NONE).orElse(0L) < 0) {
					throw KeySpaceMismatchException.ofClosed(name, "closed", "open");
				}
				return new Draw(false, this.table.read(connection, timeout, name, IdScope.NONE)
					.orElseThrow(() -> vanished(name, IdScope.NONE)));
			}
			return new Draw(true, next.getAsLong() - count);
		});
	}

	@Override
	public ScopedDraw draw(Draws draws, IdScope scope, Deadline deadline) {
		StoreArguments.draw(draws, scope, deadline);
		CallerTransaction transaction = transaction(draws.name());
		boolean oneWriter = this.database.dialect().locksTables();
		if (!oneWriter) {
			createScope(draws, scope, deadline);
		}
		return draw(transaction, draws.name(), scope, deadline, (connection) -> {
			int timeout = JdbcTransactions.seconds(deadline);
			if (oneWriter) {
				createScopeInDraw(connection, timeout, draws, scope);
			}
			return draw(connection, timeout, draws, scope, deadline);
		});
	}

	private ScopedDraw draw(Connection connection, int timeout, Draws draws, IdScope scope, Deadline deadline)
			throws SQLException {
		Interval during = draws.during();
		OptionalLong next = advance(connection, timeout, draws, scope);
		if (next.isEmpty() && during != null) {
			Instant now = now(connection, timeout);
			if (now.isBefore(during.start()) || !now.isBefore(during.end())) {
				return new ScopedDraw(false, 0, now);
			}
			// the period may have begun after the first attempt
			next = advance(connection, timeout, draws, scope);
		}
		if (next.isPresent()) {
			return new ScopedDraw(true, next.getAsLong() - draws.count(), null);
		}
		Optional<Long> found = this.table.read(connection, timeout, draws.name(), scope);
		return new ScopedDraw(false, found.orElseThrow(() -> invisible(draws.name(), scope, deadline)), null);
	}

	private OptionalLong advance(Connection connection, int timeout, Draws draws, IdScope scope) throws SQLException {
		Interval during = draws.during();
		Sql condition = Sql.NONE;
		if (during != null) {
			long offset = this.clockOffset.getAsLong();
			condition = this.database.dialect()
				.clockDuring(new Interval(during.start().minusMillis(offset), during.end().minusMillis(offset)));
		}
		return this.table.advance(connection, timeout, draws.name(), scope, draws.count(), draws.last(), condition);
	}

	private Instant now(Connection connection, int timeout) throws SQLException {
		return Instant
			.ofEpochMilli(this.database.dialect().currentMillis(connection, timeout) + this.clockOffset.getAsLong());
	}

	/**
	 * Create the exception for a row that the transaction does not see. Either the
	 * isolation level hides newer rows, or the row was deleted. A deleted row stays in
	 * {@link #knownScopes}, so that the next draw does not create it again and repeat
	 * numbers.
	 */
	private RuntimeException invisible(String name, IdScope scope, Deadline deadline) {
		return find(name, scope, deadline).isEmpty() ? vanished(name, scope)
				: new CannotAcquireLockException("The transaction does not see " + describe(name, scope)
						+ ", which was created after the transaction began. Repeat the transaction, or use READ"
						+ " COMMITTED.");
	}

	@Override
	public void refuseCommit(String name, IdScope scope, RuntimeException failure) {
		StoreArguments.refuseCommit(name, scope, failure);
		lock(name, scope).refuseCommit(failure);
	}

	private SequenceLock lock(String name, IdScope scope) {
		return this.locks.get(this.database.dialect().locksTables() ? "" : rowKey(name, scope));
	}

	private <T> T draw(CallerTransaction transaction, String name, IdScope scope, Deadline deadline, Work<T> work) {
		boolean otherDataSource = usesOtherDataSource(transaction);
		BiFunction<String, String, IdGenerationException> toRejection = rejection(name, "");
		if (otherDataSource) {
			this.transactions.verifyNoOtherStatements(transaction, toRejection);
		}
		Duration timeLimit = deadline.remaining();
		SequenceLock.Turn turn = lock(name, scope).take(deadline, () -> commitLateDraw(transaction),
				(problem) -> toRejection.apply(problem, CallerTransactions.REMEDY),
				(problem) -> unavailable(describe(name, scope), problem, null),
				() -> new CannotAcquireLockException("Drawing from " + describe(name, scope)
						+ " would cause a deadlock: another transaction of this application has drawn from it, and is"
						+ " waiting for this one. Repeat the transaction, and always draw in the same order."));
		if (!transaction.jta() && this.database.dialect().hasTransactionPoolers()) {
			turn.cleanUpWith((commitMayBeLost) -> release(transaction, commitMayBeLost));
		}
		RuntimeException before = turn.failure;
		turn.failure = failed(describe(name, scope), "a draw has not ended", null);
		try {
			T drawn = CallerTransactions.onConnection(transaction.dataSource(), (connection) -> {
				if (connection.getAutoCommit()) {
					throw toRejection.apply(
							"the transaction has already been committed, or each statement is committed on its own",
							CallerTransactions.REMEDY);
				}
				T draw = this.schemaMismatch.runAndExplain(work, connection, deadline);
				if (otherDataSource) {
					turn.verifyBeforeCommit(() -> this.transactions.verifyNoOtherStatements(transaction, toRejection));
				}
				if (!transaction.jta()) {
					// with JTA, Spring may report the commit too early for this check
					this.pooler
						.transactionToVerify(this.database.dialect(), connection, JdbcTransactions.seconds(deadline))
						.ifPresent((id) -> turn.verifyCommit(() -> verifyCommitted(name, id, timeLimit)));
				}
				return draw;
			});
			turn.failure = before;
			return drawn;
		}
		catch (IdGenerationException | Error ex) {
			turn.failure = failed(describe(name, scope), ex.toString(), ex);
			throw ex;
		}
		catch (SQLException | RuntimeException ex) {
			RuntimeException failure = failed(describe(name, scope), ex);
			turn.failure = failure;
			throw failure;
		}
	}

	/**
	 * Free the session of a connection pooler if the commit may be lost, or if the failed
	 * transaction was not rolled back.
	 */
	private void release(CallerTransaction transaction, boolean commitMayBeLost) {
		if (!(TransactionSynchronizationManager.getResource(transaction.dataSource()) instanceof ConnectionHolder)) {
			return;
		}
		try {
			CallerTransactions.onConnection(transaction.dataSource(), (connection) -> {
				TransactionPooler.abortIfStuck(this.database.dialect(), connection, commitMayBeLost);
				return true;
			});
		}
		catch (SQLException | RuntimeException ex) {
			// the connection is broken, and its pool will discard it
		}
	}

	/**
	 * Commit a draw that followed the commit of its transaction.
	 */
	private void commitLateDraw(CallerTransaction transaction) {
		if (transaction.jta()) {
			// with JTA, the transaction manager also commits a connection that is first
			// used this late
			return;
		}
		try {
			CallerTransactions.onConnection(transaction.dataSource(), (connection) -> {
				if (!connection.getAutoCommit()) {
					connection.commit();
				}
				return true;
			});
		}
		catch (SQLException | RuntimeException ex) {
			ConcurrencyFailureException conflict = this.conflicts
				.of("Commit a number that was drawn after the commit of its transaction", ex);
			throw (conflict != null) ? conflict
					: new IdStoreUnavailableException(
							"A number that was drawn after its transaction had been committed is lost: "
									+ SqlFailure.describe(ex, this.dataSource),
							ex);
		}
	}

	private void verifyCommitted(String name, long txid, Duration timeLimit) {
		boolean committed = this.database.transactions()
			.read("verify the commit of transaction " + txid + ", which drew from the gapless sequence '" + name + "'",
					(connection, timeout) -> TransactionPooler.isCommitted(connection, timeout, txid),
					Deadline.after(TimeSource.system(), timeLimit));
		if (!committed) {
			throw new IdStoreUnavailableException("The transaction that drew from the gapless sequence '" + name
					+ "' was not committed, although the driver reported a commit: a pooler sent the commit to a"
					+ " session that executed another statement. " + TransactionPooler.REMEDY);
		}
	}

	private RuntimeException failed(String sequence, Exception failure) {
		boolean pooler = this.pooler.isCauseOf(failure);
		ConcurrencyFailureException conflict = (failure instanceof ConcurrencyFailureException known) ? known
				: this.conflicts.of("Draw a number from " + sequence, failure);
		if (conflict != null) {
			return conflict;
		}
		return failed(sequence, SqlFailure.describe(failure, this.dataSource)
				+ (pooler ? ". A pooler has changed the session of the transaction. " + TransactionPooler.REMEDY : ""),
				failure);
	}

	private IdStoreUnavailableException failed(String sequence, String problem, @Nullable Throwable cause) {
		return unavailable(sequence, problem + ". The transaction must be rolled back", cause);
	}

	@Override
	public long start(Draws draws, IdScope scope, long start, Deadline deadline) {
		StoreArguments.start(draws, scope, start, deadline);
		if (lock(draws.name(), scope).isHeldByThisThread()) {
			throw new IdGenerationException("The first number of " + describe(draws.name(), scope)
					+ " cannot be set: a transaction of this thread has drawn a number, and setting the first number"
					+ " would wait for that transaction. Call start before or after that transaction.");
		}
		createScope(draws, scope, deadline);
		return this.database.transactions().repeat("begin " + describe(draws.name(), scope), (connection, timeout) -> {
			this.table.update(connection, timeout, new Sql("next_value = ?", start), draws.name(), scope,
					new Sql(" and next_value = ?", draws.first()));
			return this.table.read(connection, timeout, draws.name(), scope)
				.orElseThrow(() -> vanished(draws.name(), scope));
		}, deadline);
	}

	private CallerTransaction transaction(String name) {
		BiFunction<String, String, IdGenerationException> toRejection = rejection(name, "");
		CallerTransaction transaction = this.transactions.current(toRejection);
		this.transactions.verifyInnermost(transaction, toRejection);
		return transaction;
	}

	@Override
	public void verifyInsert(String name, Insert insert) {
		StoreArguments.verifyInsert(name, insert);
		BiFunction<String, String, IdGenerationException> toRejection = rejection(name, " for " + insert.row());
		CallerTransaction transaction = this.transactions.current(toRejection);
		try {
			this.transactions.verifyInsert(transaction, insert, toRejection);
		}
		catch (SQLException ex) {
			throw unavailable(describe(name, IdScope.NONE), SqlFailure.describe(ex, this.dataSource), ex);
		}
		this.insertResource.set(TransactionSynchronizationManager.getResource(transaction.dataSource()));
	}

	@Override
	public void verifyInserts(String name, String row, Collection<DataSource> dataSources) {
		StoreArguments.verifyInserts(name, row, dataSources);
		this.transactions.verifyInserts(name, row, dataSources);
	}

	/**
	 * Return {@code true} if the transaction uses a DataSource other than that of this
	 * store, and {@link #verifyInsert} has not accepted the insert of the row in this
	 * transaction. This method clears {@link #insertResource}.
	 */
	private boolean usesOtherDataSource(CallerTransaction transaction) {
		Object resource = this.insertResource.get();
		this.insertResource.remove();
		return transaction.dataSource() != this.dataSource
				&& resource != TransactionSynchronizationManager.getResource(transaction.dataSource());
	}

	@Override
	public long next(String name, Deadline deadline) {
		StoreArguments.next(name, deadline);
		return find(name, IdScope.NONE, deadline).orElseThrow(() -> vanished(name, IdScope.NONE));
	}

	@Override
	public OptionalLong next(String name, IdScope scope, Deadline deadline) {
		StoreArguments.next(name, scope, deadline);
		return find(name, scope, deadline).stream().mapToLong(Long::longValue).findFirst();
	}

	@Override
	public Scopes scopes(String name, String period, Deadline deadline) {
		StoreArguments.scopes(name, period, deadline);
		return this.database.transactions()
			.readWithoutWaiting("read the scopes of sequence '" + name + "'", (connection, timeout) -> new Scopes(
					this.table.read(connection, timeout, "scope_count", name, GaplessTable.total(period)).orElse(0L),
					now(connection, timeout)), deadline);
	}

	@Override
	public List<ScopeState> list(String name, String period, @Nullable String after, int count, Deadline deadline) {
		StoreArguments.list(name, period, count, deadline);
		return this.database.transactions()
			.readWithoutWaiting("list the scopes of sequence '" + name + "'",
					(connection, timeout) -> this.table.list(connection, timeout, name, period, after, count),
					deadline);
	}

	private Optional<Long> find(String name, IdScope scope, Deadline deadline) {
		return this.database.transactions()
			.readWithoutWaiting("read " + describe(name, scope),
					(connection, timeout) -> this.table.read(connection, timeout, name, scope), deadline);
	}

	private static String rowKey(String name, IdScope scope) {
		return name + '/' + scope.period() + '/' + scope.key();
	}

	private static String describe(String name, IdScope scope) {
		return "the gapless sequence '" + name + "'" + (scope.parts().isEmpty() ? "" : " of scope " + scope);
	}

	/**
	 * Return a function that creates an exception from a problem and a remedy.
	 */
	private static BiFunction<String, String, IdGenerationException> rejection(String name, String row) {
		return (problem,
				remedy) -> new IdGenerationException("No number can be drawn from the gapless sequence '" + name + "'"
						+ row + ": " + problem + ". The number and its row must belong to the same transaction."
						+ " Otherwise, a failure may leave a gap or a duplicate number. To fix this, " + remedy + ".");
	}

	private static IdStoreUnavailableException unavailable(String sequence, String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException("No number could be drawn from " + sequence + ": " + problem + ".",
				cause);
	}

	private KeySpaceRegressionException vanished(String name, IdScope scope) {
		return new KeySpaceRegressionException(
				"The row of " + describe(name, scope) + " has vanished from " + this.table.name()
						+ ". Restore the row with the next unused number, or restart the application to begin again"
						+ " with the first number.");
	}

}
