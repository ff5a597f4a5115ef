package dev.idspring.jdbc;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.idspring.IdStoreUnavailableException;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets the transactions of this JVM take turns at what one row of the database would make
 * them wait for anyway: in the order in which they came, and with a bound that databases
 * do not have or do not keep. So a transaction that waits for another one on its own
 * thread, which would wait for ever, is told.
 * <ol>
 * <li>A transaction has its turn from the first call until it is complete, however that
 * comes about: Spring's synchronization tells, before it tells anybody else who may begin
 * another transaction in return.</li>
 * <li>While it is suspended it keeps its turn, but the transaction that runs instead on
 * the same thread is another one.</li>
 * </ol>
 */
final class TransactionTurns {

	private final Semaphore turn = new Semaphore(1, true);

	/**
	 * Wait for the turn of the current transaction, unless it has it already.
	 * @param failure makes the exception for a caller who waited in vain
	 */
	void take(Duration timeout, Function<String, IdStoreUnavailableException> failure) {
		if (TransactionSynchronizationManager.hasResource(this)) {
			return;
		}
		try {
			if (!this.turn.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				throw failure.apply("another transaction of this application has drawn a number and did not end within "
						+ timeout + ". Is it the one that this transaction was started in (REQUIRES_NEW)?");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure.apply("the thread was interrupted while it waited for another transaction");
		}
		Turn mine = new Turn();
		TransactionSynchronizationManager.registerSynchronization(mine);
		mine.resume();
	}

	/**
	 * The turn of one transaction.
	 */
	private final class Turn implements TransactionSynchronization {

		private boolean over;

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResourceIfPossible(TransactionTurns.this);
		}

		@Override
		public void resume() {
			if (!this.over) {
				TransactionSynchronizationManager.bindResource(TransactionTurns.this, this);
			}
		}

		@Override
		public void afterCommit() {
			end();
		}

		@Override
		public void afterCompletion(int status) {
			end();
		}

		private void end() {
			if (!this.over) {
				this.over = true;
				suspend();
				TransactionTurns.this.turn.release();
			}
		}

	}

}
