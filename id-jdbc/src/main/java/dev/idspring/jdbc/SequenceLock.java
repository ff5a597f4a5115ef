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
import dev.idspring.jdbc.SequenceLocks.Drawer;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes the transactions of this JVM that draw from one row take turns. The row's lock in
 * the database would make them wait anyway. Here they wait in the order of their arrival,
 * with a timeout that databases lack or do not honour. A transaction that would wait for
 * another one on its own thread, or in a cycle ({@link SequenceLocks}), fails at once.
 * <ol>
 * <li>A transaction has its turn from its first call until it completes in any way.
 * Spring's synchronization reports that, before it calls others that may begin another
 * transaction.</li>
 * <li>A suspended transaction keeps its turn. The transaction that runs instead on the
 * same thread is another one.</li>
 * <li>A committed transaction is refused, although Spring calls it active until all
 * synchronizations have been called. If its first call comes so late, it cannot be
 * recognized before it ends. Then its changes are committed, because they would otherwise
 * be rolled back unnoticed.</li>
 * <li>The synchronization is registered before the permit is taken, so the permit is
 * released when the transaction completes, whatever a caller throws.</li>
 * <li>After a failure in its turn, a transaction cannot be committed, unless it is rolled
 * back to an earlier savepoint.</li>
 * </ol>
 */
final class SequenceLock {

	private final Semaphore turn = new Semaphore(1, true);

	private final SequenceLocks locks;

	/** The thread whose transaction has the turn. */
	private volatile @Nullable Drawer owner;

	SequenceLock(SequenceLocks locks) {
		this.locks = locks;
	}

	@Nullable Drawer owner() {
		return this.owner;
	}

	/**
	 * Wait for the turn of the current transaction, unless it has it already.
	 * @param late commits changes that were made too late for the commit
	 * @param refusal creates the exception for a completed transaction
	 * @param failure creates the exception for a caller who cannot get the turn
	 * @param conflict creates the exception for a deadlock
	 */
	Hold take(Deadline deadline, Late late, Function<String, IdGenerationException> refusal,
			Function<String, IdStoreUnavailableException> failure, Supplier<ConcurrencyFailureException> conflict) {
		Hold mine = current(late);
		if (mine.over) {
			throw refusal.apply("the transaction has been committed already; after a commit, begin another one"
					+ " (REQUIRES_NEW)");
		}
		Drawer drawer = this.locks.drawer();
		try {
			// no call between acquiring and recording, as it could overflow the stack
			mine.held = mine.held || this.turn.tryAcquire(0, TimeUnit.NANOSECONDS);
			if (!mine.held) {
				if (this.owner == drawer) {
					throw failure
						.apply("the transaction that this one was started in (REQUIRES_NEW) has drawn a number,"
								+ " and cannot end before this one does. Draw in one of the two only");
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
	 * Prevent the commit of the current transaction, if it has the turn.
	 */
	void refuseCommit(RuntimeException failure) {
		if (TransactionSynchronizationManager.getResource(this) instanceof Hold mine) {
			mine.failure = failure;
		}
	}

	private Hold current(Late late) {
		if (TransactionSynchronizationManager.getResource(this) instanceof Hold bound) {
			return bound;
		}
		Hold mine = new Hold(late);
		TransactionSynchronizationManager.registerSynchronization(mine);
		mine.resume();
		return mine;
	}

	/**
	 * The turn of one transaction.
	 */
	final class Hold implements TransactionSynchronization {

		private final Late late;

		/** Whether it has the permit, which it releases when it is over. */
		private boolean held;

		private boolean over;

		private boolean inTime;

		/**
		 * Prevents the commit. It is set before any step that might fail, and restored by
		 * a mere assignment, because a stack overflow could prevent setting it
		 * afterwards.
		 */
		@Nullable RuntimeException failure;

		private @Nullable Runnable condition;

		private @Nullable Runnable check;

		private @Nullable Release release;

		/** Whether the check of the commit has failed. */
		private boolean lost;

		/** The failure, if any, at the time of each savepoint. */
		private final Map<Object, Optional<RuntimeException>> savepoints = new IdentityHashMap<>();

		Hold(Late late) {
			this.late = late;
		}

		/**
		 * Add a check before the commit.
		 * @param condition throws an exception to prevent the commit
		 */
		void verifyBeforeCommit(Runnable condition) {
			this.condition = condition;
		}

		/**
		 * Add a check after the reported commit.
		 * @param check throws the exception that the caller gets instead
		 */
		void verifyCommit(Runnable check) {
			this.check = check;
		}

		/**
		 * Add an action before the connection is returned, however the transaction ends.
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
			// a turn that has not seen the savepoint began after it
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
				// release first: an extra permit costs a wait in the database, a lost one
				// is worse
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
	 * Commits changes that were made too late for the commit.
	 */
	interface Late {

		void commit();

	}

}
