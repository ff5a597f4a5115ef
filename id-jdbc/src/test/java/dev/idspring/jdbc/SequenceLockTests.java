package dev.idspring.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a caller whose stack overflows while it acquires the lock never leaves the
 * lock locked.
 */
class SequenceLockTests {

	private static final int ROUNDS = 200;

	private static final int DEPTHS = 600;

	private final SequenceLock lock = new SequenceLocks().get("row");

	private int overflows;

	private int failedTakes;

	@Test
	void lockIsFreeAfterStackOverflowsAtEveryDepth() throws Exception {
		loadClasses();
		for (int round = 0; round < ROUNDS; round++) {
			Thread caller = new Thread(null, () -> transaction(() -> overflowAndTake(new int[1])), "overflowing",
					256 * 1024);
			caller.start();
			caller.join(TimeUnit.SECONDS.toMillis(60));
			assertThat(caller.isAlive()).isFalse();
			CompletableFuture
				.runAsync(() -> transaction(() -> take(Duration.ofSeconds(5))), (task) -> new Thread(task).start())
				.get(1, TimeUnit.MINUTES);
		}
		assertThat(this.overflows).isPositive();
		assertThat(this.failedTakes).as("transactions that waited for their own lock").isZero();
	}

	/**
	 * Load all classes before a stack overflows, because a class whose initialization
	 * fails with a stack overflow can no longer be used in this JVM.
	 */
	private void loadClasses() {
		transaction(() -> {
			take(Duration.ofSeconds(5));
			CompletableFuture
				.runAsync(() -> transaction(() -> assertThatExceptionOfType(IdStoreUnavailableException.class)
					.isThrownBy(() -> take(Duration.ofMillis(1)))))
				.join();
		});
	}

	private void overflowAndTake(int[] count) {
		try {
			overflowAndTake(count);
		}
		catch (StackOverflowError ex) {
			// the deepest level is reached
		}
		if (count[0] < DEPTHS) {
			count[0]++;
			try {
				take(Duration.ofMillis(5));
				count[0] = DEPTHS;
			}
			catch (Error ex) {
				this.overflows++;
			}
			catch (IdStoreUnavailableException ex) {
				this.failedTakes++;
				count[0] = DEPTHS;
			}
		}
	}

	private void take(Duration timeout) {
		this.lock.take(Deadline.in(timeout), () -> {
		}, IdGenerationException::new, IdStoreUnavailableException::new,
				() -> new CannotAcquireLockException("deadlock"));
	}

	/**
	 * Does what Spring's transaction managers do around a transaction.
	 */
	private static void transaction(Runnable work) {
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			work.run();
		}
		finally {
			List<TransactionSynchronization> synchronizations = TransactionSynchronizationManager.getSynchronizations();
			TransactionSynchronizationManager.clear();
			TransactionSynchronizationUtils.invokeAfterCompletion(synchronizations,
					TransactionSynchronization.STATUS_ROLLED_BACK);
		}
	}

}
