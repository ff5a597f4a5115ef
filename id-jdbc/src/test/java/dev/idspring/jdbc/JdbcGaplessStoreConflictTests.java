package dev.idspring.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for transactions that draw from the same sequence at the same time: how long
 * {@link JdbcGaplessStore} waits for the others, and which exceptions report a conflict.
 */
abstract class JdbcGaplessStoreConflictTests extends JdbcGaplessStoreTransactionTests {

	JdbcGaplessStoreConflictTests(Kind kind) {
		super(kind);
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

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
