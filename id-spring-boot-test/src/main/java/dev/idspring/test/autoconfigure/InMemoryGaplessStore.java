package dev.idspring.test.autoconfigure;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.GaplessStore;
import dev.idspring.worker.Deadline;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Gapless numbers in memory, which belong to the transaction of the caller all the same,
 * whatever it is one of: a roll-back gives them back, and until it ends no other one
 * draws any.
 */
final class InMemoryGaplessStore implements GaplessStore {

	private final ConcurrentMap<String, Sequence> sequences = new ConcurrentHashMap<>();

	@Override
	public void create(String name, long first, int textVersion, Deadline deadline) {
		this.sequences.computeIfAbsent(name, (key) -> new Sequence(first));
	}

	@Override
	public Draw draw(String name, int count, long last, int textVersion, Deadline deadline) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()
				|| TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new IdGenerationException("No number can be drawn from the gapless sequence '" + name
					+ "': there is no transaction, or only a read-only one. Call from a @Transactional method, or inside a"
					+ " TransactionTemplate.");
		}
		Sequence sequence = existing(name);
		if (TransactionSynchronizationManager.getResource(sequence) == null) {
			sequence.take(name, deadline);
			Hold hold = new Hold(sequence, sequence.next);
			TransactionSynchronizationManager.bindResource(sequence, hold);
			TransactionSynchronizationManager.registerSynchronization(hold);
		}
		long next = sequence.next;
		boolean granted = next <= last - count + 1;
		if (granted) {
			sequence.next = next + count;
		}
		return new Draw(granted, next);
	}

	@Override
	public long next(String name, Deadline deadline) {
		return existing(name).committed;
	}

	private Sequence existing(String name) {
		Sequence sequence = this.sequences.get(name);
		if (sequence == null) {
			throw new KeySpaceRegressionException(
					"The gapless sequence '" + name + "' has vanished from the in-memory store.");
		}
		return sequence;
	}

	/**
	 * The numbers of one name.
	 */
	private static final class Sequence {

		private final Semaphore free = new Semaphore(1);

		/** What comes next; only used by the one that has its hold. */
		private long next;

		private volatile long committed;

		Sequence(long first) {
			this.next = first;
			this.committed = first;
		}

		void take(String name, Deadline deadline) {
			String problem = "a transaction that drew before did not end within the wait-timeout";
			try {
				if (this.free.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
					return;
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				problem = "the thread was interrupted while it waited";
			}
			throw new IdStoreUnavailableException(
					"No number could be drawn from the gapless sequence '" + name + "': " + problem + ".");
		}

	}

	/**
	 * The time in which a transaction has a sequence to itself.
	 *
	 * @param sequence the sequence
	 * @param first what came next when it began
	 */
	private record Hold(Sequence sequence, long first) implements TransactionSynchronization {

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResource(this.sequence);
		}

		@Override
		public void resume() {
			TransactionSynchronizationManager.bindResource(this.sequence, this);
		}

		@Override
		public void afterCompletion(int status) {
			TransactionSynchronizationManager.unbindResourceIfPossible(this.sequence);
			if (status == STATUS_ROLLED_BACK) {
				this.sequence.next = this.first;
			}
			this.sequence.committed = this.sequence.next;
			this.sequence.free.release();
		}

	}

}
