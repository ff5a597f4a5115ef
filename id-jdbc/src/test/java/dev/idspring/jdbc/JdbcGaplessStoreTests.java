package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.store.GaplessStore.Draw;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link JdbcGaplessStore}, with a subclass for each database.
 */
@Tag("mysql")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcGaplessStoreTests {

	private static final String NAME = "invoices";

	private static final long LAST = 1_000_000;

	private final Kind kind;

	private TestDatabase database;

	private HikariDataSource pool;

	private JdbcGaplessStore store;

	private final List<HikariDataSource> otherPools = new ArrayList<>();

	JdbcGaplessStoreTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeAll
	void createTables() {
		this.database = this.kind.create();
		this.pool = this.database.pool(20);
		TestStores.initialize(this.pool, this.database, "ids_");
		TestDatabase.execute(this.pool, "create table invoice (id bigint not null primary key)");
	}

	@BeforeEach
	void begin() {
		this.store = open(this.pool);
		this.store.create(NAME, 1, TestStores.deadline());
	}

	@AfterEach
	void empty() {
		this.otherPools.forEach(HikariDataSource::close);
		this.otherPools.clear();
		TestDatabase.execute(this.pool, "delete from ids_gapless", "delete from invoice");
	}

	@AfterAll
	void close() {
		this.pool.close();
	}

	private JdbcGaplessStore open(DataSource dataSource) {
		JdbcGaplessStore store = new JdbcGaplessStore(dataSource, TestStores.database(this.pool, "ids_"));
		store.open(TestStores.deadline());
		return store;
	}

	private HikariDataSource otherPool(int size) {
		HikariDataSource dataSource = this.database.pool(size);
		this.otherPools.add(dataSource);
		return dataSource;
	}

	private static TransactionTemplate transaction(DataSource dataSource) {
		return new TransactionTemplate(new DataSourceTransactionManager(dataSource));
	}

	private static Deadline longDeadline() {
		return within(Duration.ofSeconds(60));
	}

	private static Deadline within(Duration timeout) {
		return Deadline.after(TimeSource.system(), timeout);
	}

	private long draw() {
		Draw draw = this.store.draw(NAME, 1, LAST, longDeadline());
		assertThat(draw.granted()).isTrue();
		return draw.first();
	}

	private long next() {
		return this.store.next(NAME, TestStores.deadline());
	}

	@Test
	void drawFromAClosedSequenceIsRejected() {
		JdbcTemplate jdbc = new JdbcTemplate(this.pool);
		transaction(this.pool).executeWithoutResult((status) -> draw());
		jdbc.update("update ids_gapless set scope_count = -1 where name = ?", NAME);
		assertThatExceptionOfType(KeySpaceMismatchException.class)
			.isThrownBy(() -> transaction(this.pool).execute((status) -> draw()))
			.withMessageContaining("was closed by the script that the command 'leave' printed");
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void numbersAreConsecutive() {
		for (long number = 1; number < 5; number++) {
			long expected = number;
			transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(expected));
		}
		assertThat(next()).isEqualTo(5);
	}

	@Test
	void createDoesNotChangeAnExistingSequence() {
		transaction(this.pool).execute((status) -> draw());
		open(this.pool).create(NAME, 1, TestStores.deadline());
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void sequenceIsCreatedOnceWhenManyInstancesStartTogether() {
		List<CompletableFuture<Void>> starts = IntStream.range(0, 8).mapToObj((i) -> CompletableFuture.runAsync(() -> {
			JdbcGaplessStore other = open(this.pool);
			other.create("together", 7, TestStores.deadline());
			assertThat(other.next("together", TestStores.deadline())).isEqualTo(7);
		}, (task) -> new Thread(task).start())).toList();
		starts.forEach(CompletableFuture::join);
	}

	@Test
	void rollbackReturnsTheNumbers() {
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(draw()).isEqualTo(1);
			assertThat(draw()).isEqualTo(2);
			status.setRollbackOnly();
		});
		transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(1));
	}

	@Test
	void bulkDrawsAreConsecutiveAndAllOrNothing() {
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(this.store.draw(NAME, 10, 15, longDeadline())).isEqualTo(new Draw(true, 1));
			assertThat(this.store.draw(NAME, 6, 15, longDeadline())).isEqualTo(new Draw(false, 11));
			assertThat(this.store.draw(NAME, 20, 15, longDeadline())).isEqualTo(new Draw(false, 11));
			assertThat(this.store.draw(NAME, 5, 15, longDeadline())).isEqualTo(new Draw(true, 11));
			assertThat(this.store.draw(NAME, 1, 15, longDeadline())).isEqualTo(new Draw(false, 16));
		});
		assertThat(next()).isEqualTo(16);
	}

	@Test
	void largestPossibleNumberIsDrawn() {
		this.store.create("far", Long.MAX_VALUE - 2, TestStores.deadline());
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(this.store.draw("far", 2, Long.MAX_VALUE - 1, longDeadline()))
				.isEqualTo(new Draw(true, Long.MAX_VALUE - 2));
			assertThat(this.store.draw("far", 1, Long.MAX_VALUE - 1, longDeadline()))
				.isEqualTo(new Draw(false, Long.MAX_VALUE));
		});
	}

	@Test
	void drawWithoutATransactionIsRejected() {
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this::draw)
			.withMessageContaining("there is no transaction")
			.withMessageContaining("@Transactional");
		assertThat(next()).isEqualTo(1);
	}

	@Test
	void readOnlyTransactionIsRejected() {
		TransactionTemplate readOnly = transaction(this.pool);
		readOnly.setReadOnly(true);
		// SQLite cannot make a transaction of an open connection read-only
		assumeThat(this.kind).isNotEqualTo(Kind.SQLITE);
		assertThatIllegalStateException().isThrownBy(() -> readOnly.execute((status) -> draw()))
			.withMessageContaining("read-only");
	}

	@Test
	void transactionOnAnotherDataSourceIsRejected() {
		HikariDataSource storePool = this.database.pool(2);
		// as recommended with Hibernate. Without auto-commit, the pool rolls back the
		// uncommitted changes of each returned connection
		storePool.setAutoCommit(false);
		this.otherPools.add(storePool);
		this.store = open(storePool);
		assertThatIllegalStateException().isThrownBy(() -> transaction(this.pool).execute((status) -> draw()))
			.withMessageContaining("does not belong to the DataSource");
		assertThatIllegalStateException().isThrownBy(() -> transaction(this.pool).execute((status) -> {
			new JdbcTemplate(storePool).queryForList("select * from invoice");
			return draw();
		})).withMessageContaining("does not belong to the DataSource");
		transaction(storePool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(1));
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void usesTheConnectionBoundByJpa() throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			connection.setAutoCommit(false);
			TransactionSynchronizationManager.initSynchronization();
			TransactionSynchronizationManager.setActualTransactionActive(true);
			// as JpaTransactionManager does
			TransactionSynchronizationManager.bindResource(this.pool, new ConnectionHolder(connection));
			try {
				assertThat(draw()).isEqualTo(1);
				connection.commit();
			}
			finally {
				TransactionSynchronizationManager.getSynchronizations()
					.forEach((synchronization) -> synchronization
						.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
				TransactionSynchronizationManager.unbindResource(this.pool);
				TransactionSynchronizationManager.clear();
				connection.setAutoCommit(true);
			}
		}
		transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(2));
	}

	@Test
	void rejectsAConnectionThatJpaHasResetAfterTheCommit() throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			TransactionSynchronizationManager.initSynchronization();
			TransactionSynchronizationManager.setActualTransactionActive(true);
			// the state in an afterCommit callback of JpaTransactionManager with
			// Hibernate
			TransactionSynchronizationManager.bindResource(this.pool, new ConnectionHolder(connection));
			try {
				assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this::draw)
					.withMessageContaining("already been committed");
			}
			finally {
				TransactionSynchronizationManager.getSynchronizations()
					.forEach((synchronization) -> synchronization
						.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
				TransactionSynchronizationManager.unbindResource(this.pool);
				TransactionSynchronizationManager.clear();
			}
		}
		assertThat(next()).isEqualTo(1);
		transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(1));
	}

	@Test
	void transactionCanDrawAfterARollbackToASavepoint() {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		this.store = open(faulty);
		TransactionTemplate nested = transaction(faulty);
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		transaction(faulty).executeWithoutResult((status) -> {
			assertThat(draw()).isEqualTo(1);
			assertThatExceptionOfType(IdStoreUnavailableException.class)
				.isThrownBy(() -> nested.executeWithoutResult((inner) -> {
					faulty.begin((index, call) -> call.startsWith("execute") ? Outcome.failsAfter("HYT00")
							: Outcome.SUCCEEDS);
					try {
						draw();
					}
					finally {
						faulty.begin((index, call) -> Outcome.SUCCEEDS);
					}
				}));
			assertThat(draw()).isEqualTo(2);
		});
		assertThat(next()).isEqualTo(3);
	}

	@Test
	void transactionAwareDataSourceIsUnwrapped() {
		this.store = open(new TransactionAwareDataSourceProxy(this.pool));
		transaction(this.pool).executeWithoutResult((status) -> {
			draw();
			status.setRollbackOnly();
		});
		assertThat(next()).isEqualTo(1);
	}

	@Test
	void openingDoesNotAffectTheTransactionOfTheCaller() {
		DataSource aware = new TransactionAwareDataSourceProxy(this.pool);
		assumeThat(this.kind).as("SQLite allows one writer per file").isNotEqualTo(Kind.SQLITE);
		transaction(this.pool).executeWithoutResult((status) -> {
			new JdbcTemplate(this.pool).update("insert into invoice values (4711)");
			JdbcDatabase database = TestStores.database(aware, "ids_");
			TimeIdGenerator.builder("events", SnowflakeSettings.Preset.STANDARD.settings().scheme())
				.store(new JdbcKeySpaceStore(database), new JdbcSlotStore(database))
				.open()
				.close();
			GaplessIdGenerator
				.builder("others", new GaplessSettings(1, LAST), new JdbcKeySpaceStore(database),
						new JdbcGaplessStore(aware, database))
				.open()
				.close();
			status.setRollbackOnly();
		});
		assertThat(new JdbcTemplate(this.pool).queryForList("select id from invoice")).isEmpty();
	}

	@Test
	void innerTransactionFailsWithoutWaitingIfTheOuterOneHasDrawn() {
		TransactionTemplate requiresNew = transaction(this.pool);
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(draw()).isEqualTo(1);
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(
					() -> requiresNew.execute((inner) -> this.store.draw(NAME, 1, LAST, within(Duration.ofHours(1)))))
				.withMessageContaining("REQUIRES_NEW");
			assertThat(draw()).as("the outer transaction continues").isEqualTo(2);
		});
		transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(3));
	}

	@Test
	void innerTransactionCanDrawBeforeTheOuterOne() {
		TransactionTemplate requiresNew = transaction(this.pool);
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		transaction(this.pool).executeWithoutResult((status) -> {
			requiresNew.executeWithoutResult((inner) -> assertThat(draw()).isEqualTo(1));
			assertThat(draw()).isEqualTo(2);
		});
	}

	@Test
	void afterCommitCallbackCanDrawInANewTransaction() {
		TransactionTemplate requiresNew = transaction(this.pool);
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		List<Long> drawn = new ArrayList<>();
		transaction(this.pool).executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					drawn.add(requiresNew.execute((inner) -> JdbcGaplessStoreTests.this.store
						.draw(NAME, 1, LAST, within(Duration.ofSeconds(5)))
						.first()));
				}

			});
			drawn.add(draw());
		});
		assertThat(drawn).containsExactly(1L, 2L);
	}

	@Test
	void refusesToDrawInACommittedTransaction() {
		List<String> failureMessages = new ArrayList<>();
		transaction(this.pool).executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					try {
						draw();
					}
					catch (IdGenerationException ex) {
						failureMessages.add(ex.getMessage());
					}
				}

			});
			draw();
		});
		assertThat(failureMessages).singleElement()
			.asString()
			.contains("already been committed")
			.contains("REQUIRES_NEW");
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void numberDrawnAfterTheCommitIsNotDrawnAgain() {
		HikariDataSource storePool = this.database.pool(2);
		storePool.setAutoCommit(false);
		this.otherPools.add(storePool);
		this.store = open(storePool);
		List<Long> drawn = new ArrayList<>();
		transaction(storePool).executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						drawn.add(draw());
					}

				}));
		transaction(storePool).executeWithoutResult((status) -> drawn.add(draw()));
		assertThat(drawn).containsExactly(1L, 2L);
	}

	@Test
	void transactionWhoseDrawFailedCannotBeCommitted() {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		this.store = open(faulty);
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> transaction(faulty).executeWithoutResult((status) -> {
				faulty.begin(
						(index, call) -> call.startsWith("execute") ? Outcome.failsAfter("HYT00") : Outcome.SUCCEEDS);
				assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(this::draw);
				faulty.begin((index, call) -> Outcome.SUCCEEDS);
				// the caller continues as if the draw had not failed
			}))
			.withMessageContaining("must be rolled back");
		assertThat(next()).isEqualTo(1);
	}

	@Test
	void translatesAConflictInAnyStatementToASpringException() {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		this.store = open(faulty);
		int failedCalls = faulty.failEachCall(Outcome.failsBefore("40001"), (index) -> {
			List<Exception> thrown = new ArrayList<>();
			try {
				transaction(faulty).executeWithoutResult((status) -> {
					try {
						draw();
					}
					catch (RuntimeException ex) {
						thrown.add(ex);
					}
				});
			}
			catch (RuntimeException ex) {
				// a failure of the draw, or of the transaction itself
				assertThat(thrown).as("when call " + index + " fails: " + faulty.calls())
					.allMatch(ConcurrencyFailureException.class::isInstance)
					.allMatch(ex::equals);
			}
		});
		assertThat(failedCalls).isGreaterThan(3);
	}

	@Test
	void identifiesConflictsByTheVendorCode() {
		assumeThat(this.kind).isIn(Kind.MARIADB, Kind.MYSQL_DRIVER);
		for (SQLException failure : List.of(new SQLException("Lock wait timeout exceeded", "HY000", 1205),
				new SQLException("Deadlock found when trying to get lock", "40001", 1213),
				new SQLException("Query execution was interrupted", "70100", 1317),
				new SQLException("Got error 149 \"Lock deadlock; Retry transaction\" during COMMIT", "HY000", 1180))) {
			assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(() -> drawWithFailure(failure))
				.withStackTraceContaining(failure.getMessage());
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> drawWithFailure(new SQLException("wrapped", "HY000", 1, new SQLException(failure))));
		}
		for (SQLException failure : List.of(
				new SQLException("WSREP has not yet prepared node for application use", "08S01", 1047),
				new SQLException("Got error 28 \"No space left on device\" during COMMIT", "HY000", 1180))) {
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> drawWithFailure(failure));
		}
	}

	private void drawWithFailure(SQLException failure) {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		this.store = open(faulty);
		transaction(faulty).executeWithoutResult((status) -> {
			faulty.begin((index, call) -> call.startsWith("execute") ? new Outcome(false, failure) : Outcome.SUCCEEDS);
			try {
				draw();
			}
			finally {
				faulty.begin((index, call) -> Outcome.SUCCEEDS);
			}
		});
	}

	@Test
	void translatesADatabaseConflictToASpringException() {
		assumeThat(this.kind).isEqualTo(Kind.POSTGRESQL);
		HikariDataSource otherPool = otherPool(1);
		JdbcGaplessStore other = open(otherPool);
		TransactionTemplate repeatableRead = transaction(this.pool);
		repeatableRead.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> repeatableRead.executeWithoutResult((status) -> {
				new JdbcTemplate(this.pool).queryForList("select * from invoice");
				CompletableFuture
					.runAsync(() -> transaction(otherPool)
						.executeWithoutResult((inner) -> other.draw(NAME, 1, LAST, longDeadline())))
					.join();
				draw();
			}));
		repeatableRead.executeWithoutResult((status) -> assertThat(draw()).isEqualTo(2));
	}

	@Test
	void leavesTheConnectionOfTheCallerUnchanged() {
		transaction(this.pool).executeWithoutResult((status) -> {
			int before = new JdbcTemplate(this.pool).execute(Statement::getQueryTimeout);
			draw();
			assertThat(new JdbcTemplate(this.pool).execute(Statement::getQueryTimeout)).isEqualTo(before);
		});
	}

	@Test
	void leavesTheConnectionOfTheCallerUnchangedAfterAFailure() {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		this.store = open(faulty);
		transaction(faulty).executeWithoutResult((status) -> {
			int before = new JdbcTemplate(faulty).execute(Statement::getQueryTimeout);
			faulty.begin((index, call) -> call.startsWith("execute") ? Outcome.failsBefore("HYT00") : Outcome.SUCCEEDS);
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(this::draw);
			faulty.begin((index, call) -> Outcome.SUCCEEDS);
			assertThat(new JdbcTemplate(faulty).execute(Statement::getQueryTimeout)).isEqualTo(before);
			status.setRollbackOnly();
		});
	}

	@Test
	void interruptedDrawFailsAndPreservesTheInterruptFlag() throws Exception {
		CountDownLatch holding = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(1);
		CompletableFuture<Void> holder = CompletableFuture
			.runAsync(() -> transaction(this.pool).executeWithoutResult((status) -> {
				draw();
				holding.countDown();
				await(done);
			}), (task) -> new Thread(task).start());
		holding.await();
		CompletableFuture<Boolean> interrupted = CompletableFuture
			.supplyAsync(() -> transaction(this.pool).execute((status) -> {
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(this::draw)
					.withMessageContaining("interrupted");
				// clear the flag before the rollback: H2 closes its file when an
				// interrupted thread writes to it
				return Thread.interrupted();
			}), (task) -> new Thread(task).start());
		try {
			assertThat(interrupted.join()).isTrue();
		}
		finally {
			done.countDown();
			holder.join();
		}
	}

	@Test
	void readingDoesNotWaitForATransactionThatHasDrawn() {
		// HSQLDB always locks the table, and waits for locks without a limit
		assumeThat(this.kind).isNotEqualTo(Kind.HSQLDB);
		transaction(this.pool).executeWithoutResult((status) -> {
			draw();
			assertThat(next()).isIn(1L, 2L);
		});
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void otherInstanceWaitsNoLongerThanItsDeadline() {
		// HSQLDB and Derby do not let the store limit the wait for a lock
		assumeThat(this.kind).isNotIn(Kind.HSQLDB, Kind.DERBY);
		HikariDataSource otherPool = otherPool(1);
		JdbcGaplessStore other = open(otherPool);
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(draw()).isEqualTo(1);
			CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> assertThatException()
				.isThrownBy(() -> transaction(otherPool)
					.execute((inner) -> other.draw(NAME, 1, LAST, within(Duration.ofSeconds(1)))))
				.isInstanceOfAny(IdStoreUnavailableException.class, CannotAcquireLockException.class));
			// by default, MariaDB waits for 50 seconds, and PostgreSQL without a limit
			waiting.orTimeout(30, TimeUnit.SECONDS).join();
		});
		transaction(otherPool).executeWithoutResult(
				(status) -> assertThat(other.draw(NAME, 1, LAST, longDeadline()).first()).isEqualTo(2));
	}

	@Test
	void drawFailsIfTheSequenceHasVanished() {
		TestDatabase.execute(this.pool, "delete from ids_gapless");
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> transaction(this.pool).execute((status) -> draw()))
			.withMessageContaining("'invoices' has vanished");
	}

	@Test
	void sixteenThreadsWithRollbacksAndLostConnectionsLeaveNoGap() {
		insertInParallel(List.of(this.store), List.of(this.pool), 16, true);
	}

	@Test
	void twoInstancesLeaveNoGap() {
		HikariDataSource otherPool = otherPool(8);
		// no rollbacks on H2, because H2 2.4.240 sometimes loses an update when another
		// transaction is rolled back
		boolean rollsBack = this.kind != Kind.H2 && this.kind != Kind.H2_FILE;
		insertInParallel(List.of(this.store, open(otherPool)), List.of(this.pool, otherPool), 8, rollsBack);
	}

	private void insertInParallel(List<JdbcGaplessStore> stores, List<HikariDataSource> pools, int threads,
			boolean rollsBack) {
		List<CompletableFuture<Integer>> writers = new ArrayList<>();
		for (int instance = 0; instance < stores.size(); instance++) {
			for (int i = 0; i < threads; i++) {
				JdbcGaplessStore store = stores.get(instance);
				HikariDataSource dataSource = pools.get(instance);
				Random random = new Random(100 * instance + i);
				writers.add(CompletableFuture.supplyAsync(() -> insert(store, dataSource, random, rollsBack),
						(task) -> new Thread(task).start()));
			}
		}
		int committed = writers.stream().mapToInt(CompletableFuture::join).sum();
		List<Long> numbers = new JdbcTemplate(this.pool).queryForList("select id from invoice order by id", Long.class);
		assertThat(committed).isGreaterThan(50);
		assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, committed).boxed().toList());
		assertThat(next()).isEqualTo(committed + 1);
	}

	/**
	 * Insert rows in transactions.
	 * @param rollsBack whether some transactions are rolled back, and some lose their
	 * connection
	 * @return the number of committed rows
	 */
	private static int insert(JdbcGaplessStore store, HikariDataSource dataSource, Random random, boolean rollsBack) {
		int committed = 0;
		for (int i = 0; i < 20; i++) {
			int count = 1 + random.nextInt(3);
			int outcome = rollsBack ? random.nextInt(10) : Integer.MAX_VALUE;
			Supplier<Integer> rows = () -> transaction(dataSource).execute((status) -> {
				long first = store.draw(NAME, count, LAST, longDeadline()).first();
				for (long number = first; number < first + count; number++) {
					new JdbcTemplate(dataSource).update("insert into invoice (id) values (?)", number);
				}
				if (outcome == 0) {
					loseConnection(dataSource);
				}
				if (outcome <= 3) {
					throw new SimulatedException();
				}
				return count;
			});
			try {
				committed += rows.get();
			}
			catch (SimulatedException ex) {
				// rolled back
			}
			catch (RuntimeException ex) {
				// expected if the connection was lost, or on H2, which waits only 2 s for
				// a lock
				if (outcome != 0 && (rollsBack || !(ex instanceof ConcurrencyFailureException))) {
					throw ex;
				}
			}
		}
		return committed;
	}

	private static void loseConnection(DataSource dataSource) {
		try {
			DataSourceUtils.getConnection(dataSource).unwrap(Connection.class).abort(Runnable::run);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static final class SimulatedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
