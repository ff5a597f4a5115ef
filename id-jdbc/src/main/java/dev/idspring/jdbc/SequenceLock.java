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
import dev.idspring.jdbc.SequenceLocks.WaitingThread;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes the transactions of this JVM that draw from the same row take turns. They would
 * also wait for the row lock in the database. But here they wait in the order of their
 * arrival, with a timeout that some databases lack or do not observe. A transaction fails
 * immediately if it would wait for another transaction on its own thread, or in a cycle
 * ({@link SequenceLocks}).
 * <ol>
 * <li>A transaction has its turn from its first draw until it completes, however that
 * happens. Spring reports the completion to this class before other synchronizations,
 * which may begin another transaction.</li>
 * <li>A suspended transaction keeps its turn. A transaction that runs on the same thread
 * in the meantime is treated as a different one.</li>
 * <li>A draw in a committed transaction is rejected, although Spring reports the
 * transaction as active until all synchronizations have been called. If this is the first
 * draw of the transaction, the commit cannot be recognised. Then the late changes are
 * committed separately, because otherwise they would be rolled back unnoticed.</li>
 * <li>The synchronization is registered before the permit is acquired. So the permit is
 * released when the transaction completes, even if a caller throws an exception or
 * error.</li>
 * <li>After a failed draw, the transaction cannot be committed, unless it is rolled back
 * to a savepoint before the failure.</li>
 * </ol>
 */
final class SequenceLock {

	private final Semaphore turn = new Semaphore(1, true);

	private final SequenceLocks locks;

	/** The thread whose transaction has the turn. */
	private volatile @Nullable WaitingThread owner;

	SequenceLock(SequenceLocks locks) {
		this.locks = locks;
	}

	@Nullable WaitingThread owner() {
		return this.owner;
	}

	/**
	 * Wait until the current transaction has its turn. If it already has its turn, return
	 * immediately.
	 * @param late commits changes that were made after the commit of their transaction
	 * @param refusal creates the exception for a transaction that has been committed
	 * @param failure creates the exception for a transaction that cannot get its turn
	 * @param conflict creates the exception for a deadlock
	 */
	Turn take(Deadline deadline, LateCommit late, Function<String, IdGenerationException> refusal,
			Function<String, IdStoreUnavailableException> failure, Supplier<ConcurrencyFailureException> conflict) {
		Turn mine = current(late);
		if (mine.over) {
			throw refusal.apply("the transaction has been committed already; after a commit, begin another one"
					+ " (REQUIRES_NEW)");
		}
		WaitingThread drawer = this.locks.drawer();
		try {
			// assign the result directly, because a further call could fail with a
			// stack overflow
			mine.held = mine.held || this.turn.tryAcquire(0, TimeUnit.NANOSECONDS);
			if (!mine.held) {
				if (this.owner == drawer) {
					throw failure
						.apply("the transaction inside which this one was started (REQUIRES_NEW) has drawn a number,"
								+ " and cannot end before this one does. Draw in only one of the two");
				}
				if (!this.locks.await(drawer, this)) {
					throw conflict.get();
				}
				mine.held = this.turn.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure.apply("the thread was interrupted while it waited for another transaction");
		}
		finally {
			drawer.awaited = null;
			if (mine.held) {
				this.owner = drawer;
			}
		}
		if (!mine.held) {
			throw failure.apply("another transaction of this application has drawn a number and did not end within"
					+ " the wait-timeout. Does it wait for a row that this one has locked? Draw numbers last, and always in"
					+ " the same order");
		}
		return mine;
	}

	/**
	 * Prevent the commit of the current transaction, if it has called {@link #take}.
	 */
	void refuseCommit(RuntimeException failure) {
		if (TransactionSynchronizationManager.getResource(this) instanceof Turn mine) {
			mine.failure = failure;
		}
	}

	private Turn current(LateCommit late) {
		if (TransactionSynchronizationManager.getResource(this) instanceof Turn bound) {
			return bound;
		}
		Turn mine = new Turn(late);
		TransactionSynchronizationManager.registerSynchronization(mine);
		mine.resume();
		return mine;
	}

	/**
	 * The turn of one transaction.
	 */
	final class Turn implements TransactionSynchronization {

		private final LateCommit late;

		/**
		 * Whether this turn has the permit, which is released when the transaction
		 * completes.
		 */
		private boolean held;

		private boolean over;

		private boolean inTime;

		/**
		 * The exception that prevents the commit, if any. It is set before any step that
		 * might fail, and restored after the step. It is not set only after a failure,
		 * because that could fail with a stack overflow.
		 */
		@Nullable RuntimeException failure;

		private @Nullable Runnable condition;

		private @Nullable Runnable check;

		private @Nullable Release release;

		/** Whether the check after the commit has failed. */
		private boolean lost;

		/** The failure, if any, when each savepoint was created. */
		private final Map<Object, Optional<RuntimeException>> savepoints = new IdentityHashMap<>();

		Turn(LateCommit late) {
			this.late = late;
		}

		/**
		 * Add a check that runs before the commit.
		 * @param condition throws an exception to prevent the commit
		 */
		void verifyBeforeCommit(Runnable condition) {
			this.condition = condition;
		}

		/**
		 * Add a check that runs after the driver has reported the commit.
		 * @param check throws an exception if the commit was lost, which the caller then
		 * gets
		 */
		void verifyCommit(Runnable check) {
			this.check = check;
		}

		/**
		 * Add an action that runs after the transaction has completed and before its
		 * connection is returned.
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
			this.savepoints.put(savepoint, Optional.ofNullable(this.failure));
		}

		@Override
		public void savepointRollback(Object savepoint) {
			// a savepoint that is not in the map was created before this turn, when
			// there was no failure
			this.failure = this.savepoints.getOrDefault(savepoint, Optional.empty()).orElse(null);
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			this.inTime = true;
			if (this.failure != null) {
				throw this.failure;
			}
			if (this.condition != null) {
				this.condition.run();
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
				if (this.held && status == STATUS_COMMITTED && !this.inTime && this.failure == null) {
					this.late.commit();
					verify();
				}
			}
			finally {
				end();
				if (this.release != null) {
					this.release.connection(this.lost);
				}
			}
		}

		private void verify() {
			if (this.check != null) {
				this.lost = true;
				this.check.run();
				this.lost = false;
			}
		}

		private void end() {
			if (this.held && !this.over) {
				// release the permit before the turn is marked as over. A permit that
				// is released twice only makes transactions wait in the database
				// instead, but a permit that is never released would block them
				SequenceLock.this.owner = null;
				SequenceLock.this.turn.release();
			}
			this.over = true;
		}

	}

	/**
	 * Called when a transaction has completed.
	 */
	interface Release {

		/**
		 * Release the connection.
		 * @param lost whether its commit may be lost
		 */
		void connection(boolean lost);

	}

	/**
	 * Commits changes that were made after the commit of their transaction.
	 */
	interface LateCommit {

		void commit();

	}

}
