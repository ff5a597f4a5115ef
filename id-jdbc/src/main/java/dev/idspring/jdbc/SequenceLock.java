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
 * Lets the transactions of this JVM that draw from one row take turns. The row's lock in
 * the database would make them wait anyway; here they wait in the order of their arrival,
 * and with a timeout that databases lack or do not honour. A transaction that would wait
 * for another one on its own thread, or in a circle ({@link SequenceLocks}), fails at
 * once.
 * <ol>
 * <li>A transaction has its turn from the first call until it is complete, however that
 * comes about: Spring's synchronization tells, before it tells others that may begin
 * another transaction in return.</li>
 * <li>While it is suspended it keeps its turn, but the transaction that runs instead on
 * the same thread is another one.</li>
 * <li>Once it is committed it is over, although Spring still calls it active until all
 * have been told: it is refused then. A transaction whose first call comes so late cannot
 * be told from others before it ends, and then what it did is made durable, or else it
 * would be undone unnoticed.</li>
 * <li>The synchronization is registered before the permit is taken, so whatever a caller
 * throws, the permit is given back when the transaction is complete.</li>
 * <li>When something went wrong in its turn, it cannot be committed any more, unless it
 * was rolled back to a savepoint from before that.</li>
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
	 * @param late makes durable what was done too late to be part of the commit
	 * @param refusal makes the exception for a transaction that is over
	 * @param failure makes the exception for a caller who waited in vain
	 * @param conflict makes the exception for a caller who would wait for a transaction
	 * that waits for the caller's
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
			// no call between acquiring and recording: there may be no stack left
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
	 * Keep the current transaction from being committed, if it has the turn.
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

		/** Whether it has the permit, which it gives back when it is over. */
		private boolean held;

		private boolean over;

		private boolean inTime;

		/**
		 * Keeps the transaction from being committed. Set before anything is done that
		 * might go wrong, and restored by a store alone, as there may be no stack left to
		 * set it afterwards.
		 */
		@Nullable RuntimeException failure;

		private @Nullable Runnable condition;

		private @Nullable Runnable check;

		private @Nullable Release release;

		/** Whether the check of the commit has failed. */
		private boolean lost;

		/** What had gone wrong when each savepoint was set. */
		private final Map<Object, Optional<RuntimeException>> savepoints = new IdentityHashMap<>();

		Hold(Late late) {
			this.late = late;
		}

		/**
		 * Let something be verified before the transaction is committed.
		 * @param condition what it throws keeps the transaction from being committed
		 */
		void verifyBeforeCommit(Runnable condition) {
			this.condition = condition;
		}

		/**
		 * Let something be verified once the transaction is said to be committed.
		 * @param check what it throws is thrown at the caller instead
		 */
		void verifyCommit(Runnable check) {
			this.check = check;
		}

		/**
		 * Let something be done before the connection goes back, however the transaction
		 * ends.
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
				// first: a second permit costs a wait in the database, a lost one is
				// worse
				SequenceLock.this.owner = null;
				SequenceLock.this.turn.release();
			}
			this.over = true;
		}

	}

	/**
	 * Is done when a transaction is complete.
	 */
	interface Release {

		/**
		 * Release the connection.
		 * @param lost whether its commit may be lost
		 */
		void connection(boolean lost);

	}

	/**
	 * Makes durable what was done too late to be part of the commit.
	 */
	interface Late {

		void commit();

	}

}
