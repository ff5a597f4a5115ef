package dev.idspring.jdbc;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.SequenceLocks.DrawingThread;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets only one transaction of this JVM at a time draw from a row of a gapless sequence.
 * Unlike the row lock of some databases, this lock has a reliable timeout. Transactions
 * acquire the lock in the order in which they request it. A draw fails immediately if it
 * would wait for another transaction of its own thread, or if the wait would cause a
 * deadlock ({@link SequenceLocks}).
 * <ol>
 * <li>The <em>turn</em> of a transaction lasts from its first draw until the transaction
 * commits, rolls back, or completes with an unknown status. A turn is a Spring
 * synchronization with the highest precedence, because the turn must end before other
 * synchronizations begin another transaction.</li>
 * <li>A turn continues while its transaction is suspended. Any other transaction on the
 * same thread needs its own turn.</li>
 * <li>After a commit, Spring reports the transaction as active until it has called all
 * synchronizations. During this time, a draw is rejected if the transaction had already
 * drawn before the commit.</li>
 * <li>If the first draw follows the commit, this class detects the commit only when the
 * transaction completes. The turn then commits the changes of the draw separately,
 * because they could otherwise be rolled back without an error.</li>
 * <li>The synchronization is registered before the permit of the semaphore is acquired.
 * So the permit is released when the transaction completes, even if an exception or error
 * follows the acquisition.</li>
 * <li>After a failed draw, the transaction can commit only if it first rolls back to a
 * savepoint from before the failure.</li>
 * </ol>
 */
final class SequenceLock {

	private final Semaphore permit = new Semaphore(1, true);

	private final SequenceLocks locks;

	/** The thread whose transaction has the turn. */
	private volatile @Nullable DrawingThread owner;

	SequenceLock(SequenceLocks locks) {
		this.locks = locks;
	}

	@Nullable DrawingThread owner() {
		return this.owner;
	}

	/**
	 * Return whether a transaction of the calling thread, perhaps a suspended one, has
	 * the turn.
	 */
	boolean isHeldByThisThread() {
		return this.owner == this.locks.currentThread();
	}

	/**
	 * Wait until the turn of the current transaction begins, unless it has already begun.
	 * @param lateCommit commits the changes if the first draw of the transaction follows
	 * its commit
	 * @param rejection creates the exception for a transaction that has already been
	 * committed
	 * @param failure creates the exception for a transaction that cannot get its turn
	 * @param conflict creates the exception for a deadlock
	 */
	Turn take(Deadline deadline, Runnable lateCommit, Function<String, IdGenerationException> rejection,
			Function<String, IdStoreUnavailableException> failure, Supplier<ConcurrencyFailureException> conflict) {
		Turn turn = currentTurn(lateCommit);
		if (turn.isOver) {
			throw rejection.apply("the transaction has already been committed; after a commit, begin a new transaction"
					+ " (REQUIRES_NEW)");
		}
		DrawingThread thread = this.locks.currentThread();
		try {
			// assign the result in the statement that acquires the permit: a call in
			// between could fail with a stack overflow, and the permit would be lost
			turn.holdsPermit = turn.holdsPermit || this.permit.tryAcquire(0, TimeUnit.NANOSECONDS);
			if (!turn.holdsPermit) {
				if (isHeldByThisThread()) {
					throw failure
						.apply("the outer transaction has drawn a number, and cannot end before this inner transaction"
								+ " (REQUIRES_NEW). Draw numbers in only one of the two");
				}
				if (!this.locks.recordWait(thread, this)) {
					throw conflict.get();
				}
				turn.holdsPermit = this.permit.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure.apply("the thread was interrupted while it waited for another transaction");
		}
		finally {
			thread.awaited = null;
			if (turn.holdsPermit) {
				this.owner = thread;
			}
		}
		if (!turn.holdsPermit) {
			throw failure.apply("another transaction of this application has drawn a number and has not ended within"
					+ " the wait-timeout. Is that transaction waiting for a row that this transaction has locked? Draw"
					+ " numbers at the end of a transaction, and always draw from several sequences in the same order");
		}
		return turn;
	}

	/**
	 * Prevent the commit of the current transaction, if {@link #take} was called in it.
	 */
	void refuseCommit(RuntimeException failure) {
		if (TransactionSynchronizationManager.getResource(this) instanceof Turn turn) {
			turn.failure = failure;
		}
	}

	private Turn currentTurn(Runnable lateCommit) {
		if (TransactionSynchronizationManager.getResource(this) instanceof Turn bound) {
			return bound;
		}
		Turn turn = new Turn(lateCommit);
		TransactionSynchronizationManager.registerSynchronization(turn);
		turn.resume();
		return turn;
	}

	/**
	 * The turn of one transaction.
	 */
	final class Turn implements TransactionSynchronization {

		private final Runnable lateCommit;

		/** Whether this turn has acquired the permit of the semaphore. */
		private boolean holdsPermit;

		private boolean isOver;

		/** Whether this turn began before the commit. */
		private boolean beganBeforeCommit;

		/**
		 * The exception that prevents the commit, if any. This field is set before each
		 * step that might fail, and is reset to its previous value if the step succeeds.
		 * An assignment after the failure could itself fail with a stack overflow.
		 */
		@Nullable RuntimeException failure;

		private @Nullable Runnable checkBeforeCommit;

		private @Nullable Runnable checkAfterCommit;

		private @Nullable Cleanup cleanup;

		/** Whether the check after the commit has started, but has not succeeded. */
		private boolean commitMayBeLost;

		/** For each savepoint, the value of {@link #failure} when it was created. */
		private final Map<Object, Optional<RuntimeException>> failuresAtSavepoints = new IdentityHashMap<>();

		Turn(Runnable lateCommit) {
			this.lateCommit = lateCommit;
		}

		/**
		 * Set the check that runs before the commit.
		 * @param checkBeforeCommit throws an exception to prevent the commit
		 */
		void verifyBeforeCommit(Runnable checkBeforeCommit) {
			this.checkBeforeCommit = checkBeforeCommit;
		}

		/**
		 * Set the check that runs after the driver has reported the commit.
		 * @param checkAfterCommit throws an exception if the commit was lost. Spring
		 * propagates the exception to the code that commits the transaction. If the first
		 * draw followed the commit, Spring only logs the exception
		 */
		void verifyCommit(Runnable checkAfterCommit) {
			this.checkAfterCommit = checkAfterCommit;
		}

		/**
		 * Set the action that runs after the transaction has completed and before its
		 * connection is returned to the pool.
		 */
		void cleanUpWith(Cleanup cleanup) {
			this.cleanup = cleanup;
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResourceIfPossible(SequenceLock.this);
		}

		@Override
		public void resume() {
			TransactionSynchronizationManager.bindResource(SequenceLock.this, this);
		}

		@Override
		public void savepoint(Object savepoint) {
			this.failuresAtSavepoints.put(savepoint, Optional.ofNullable(this.failure));
		}

		@Override
		public void savepointRollback(Object savepoint) {
			// a savepoint that is not in the map is older than this turn, and therefore
			// than any failure
			this.failure = this.failuresAtSavepoints.getOrDefault(savepoint, Optional.empty()).orElse(null);
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			this.beganBeforeCommit = true;
			if (this.failure != null) {
				throw this.failure;
			}
			if (this.checkBeforeCommit != null) {
				this.checkBeforeCommit.run();
			}
		}

		@Override
		public void afterCommit() {
			end();
			verify();
		}

		@Override
		public void afterCompletion(int status) {
			suspend();
			try {
				if (this.holdsPermit && status == STATUS_COMMITTED && !this.beganBeforeCommit && this.failure == null) {
					this.lateCommit.run();
					verify();
				}
			}
			finally {
				end();
				if (this.cleanup != null) {
					this.cleanup.cleanUp(this.commitMayBeLost);
				}
			}
		}

		private void verify() {
			if (this.checkAfterCommit != null) {
				this.commitMayBeLost = true;
				this.checkAfterCommit.run();
				this.commitMayBeLost = false;
			}
		}

		private void end() {
			if (this.holdsPermit && !this.isOver) {
				// release the permit before marking the turn as over: an error between
				// these steps causes at worst a second release. Two transactions can
				// then draw at the same time, and one waits in the database. In the
				// opposite order, the permit might never be released, and later draws
				// would time out
				SequenceLock.this.owner = null;
				SequenceLock.this.permit.release();
			}
			this.isOver = true;
		}

	}

	/**
	 * Cleans up after a completed transaction.
	 */
	interface Cleanup {

		/**
		 * Clean up the connection before it is returned to the pool.
		 * @param commitMayBeLost whether the commit of the transaction may be lost
		 */
		void cleanUp(boolean commitMayBeLost);

	}

}
