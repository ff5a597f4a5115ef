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
 * get the lock in the order of their arrival. A transaction fails immediately if it would
 * wait for another transaction on its own thread, or if its wait would complete a cycle
 * of waiting transactions ({@link SequenceLocks}).
 * <ol>
 * <li>The <em>turn</em> of a transaction lasts from its first draw until the transaction
 * completes in any way. A turn is a Spring synchronization with the highest precedence,
 * because the turn must end before other synchronizations begin another transaction.</li>
 * <li>The turn of a suspended transaction continues, and any other transaction on the
 * same thread needs its own turn.</li>
 * <li>After a commit, Spring reports the transaction as active until it has called all
 * synchronizations. During this time, a draw is rejected if the transaction has already
 * drawn before the commit.</li>
 * <li>If the first draw follows the commit, this class detects the commit only when the
 * transaction completes. The turn then commits the changes of the draw separately,
 * because otherwise they would be rolled back unnoticed.</li>
 * <li>The synchronization is registered before the permit of the semaphore is acquired.
 * So the permit is released when the transaction completes, even if a caller throws an
 * exception or error.</li>
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
						.apply("the transaction inside which this one was started (REQUIRES_NEW) has drawn a number,"
								+ " and cannot end before this one does. Draw numbers in only one of the two");
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
					+ " the wait-timeout. Is that transaction waiting for a row that this transaction has locked?"
					+ " Draw numbers at the end of a transaction, and from several sequences always in the same order");
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
		 * step that might fail, and gets its previous value back if the step succeeds. An
		 * assignment after the failure could itself fail with a stack overflow.
		 */
		@Nullable RuntimeException failure;

		private @Nullable Runnable checkBeforeCommit;

		private @Nullable Runnable checkAfterCommit;

		private @Nullable Release release;

		/** Whether the check that follows the commit has begun, but has not succeeded. */
		private boolean commitMayBeLost;

		/** The failure, if any, that existed when each savepoint was created. */
		private final Map<Object, Optional<RuntimeException>> failuresAtSavepoints = new IdentityHashMap<>();

		Turn(Runnable lateCommit) {
			this.lateCommit = lateCommit;
		}

		/**
		 * Add a check that runs before the commit.
		 * @param checkBeforeCommit throws an exception to prevent the commit
		 */
		void verifyBeforeCommit(Runnable checkBeforeCommit) {
			this.checkBeforeCommit = checkBeforeCommit;
		}

		/**
		 * Add a check that runs after the driver has reported the commit.
		 * @param checkAfterCommit throws an exception if the commit was lost. The code
		 * that commits the transaction gets this exception
		 */
		void verifyCommit(Runnable checkAfterCommit) {
			this.checkAfterCommit = checkAfterCommit;
		}

		/**
		 * Add an action that runs after the transaction has completed and before its
		 * connection is returned to the pool.
		 */
		void releaseWith(Release release) {
			this.release = release;
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
				if (this.release != null) {
					this.release.releaseConnection(this.commitMayBeLost);
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
				// these steps causes at worst a second release, after which two
				// transactions draw at once and one waits in the database. In the
				// opposite order, the permit might never be released, and all
				// transactions would be blocked
				SequenceLock.this.owner = null;
				SequenceLock.this.permit.release();
			}
			this.isOver = true;
		}

	}

	/**
	 * Called when a transaction has completed.
	 */
	interface Release {

		/**
		 * Release the connection.
		 * @param commitMayBeLost whether the commit of the transaction may be lost
		 */
		void releaseConnection(boolean commitMayBeLost);

	}

}
