package dev.idspring.test.autoconfigure;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.store.StoreArguments;
import dev.idspring.text.IdScope;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Stores gapless numbers in memory. Numbers are drawn in the caller's transaction,
 * regardless of its transaction manager. After a rollback, the next draws return the same
 * numbers. Once a transaction has drawn from a sequence, all other transactions that draw
 * from this sequence wait until the first transaction ends.
 */
final class InMemoryGaplessStore implements ScopedGaplessStore {

	private final ConcurrentMap<PeriodKey, Map<IdScope, Sequence>> periods = new ConcurrentHashMap<>();

	private final TimeSource timeSource;

	InMemoryGaplessStore(TimeSource timeSource) {
		this.timeSource = timeSource;
	}

	@Override
	public void create(String name, long first, Deadline deadline) {
		StoreArguments.create(name, first, deadline);
		findOrCreate(name, IdScope.NONE, first, Long.MAX_VALUE);
	}

	@Override
	public Draw draw(String name, int count, long last, Deadline deadline) {
		StoreArguments.draw(name, count, last, deadline);
		return draw(name, getUnscoped(name), count, last, deadline);
	}

	@Override
	public ScopedDraw draw(Draws draws, IdScope scope, Deadline deadline) {
		StoreArguments.draw(draws, scope, deadline);
		Instant now = this.timeSource.instant();
		Interval during = draws.during();
		if (during != null && (now.isBefore(during.start()) || !now.isBefore(during.end()))) {
			return new ScopedDraw(false, 0, now);
		}
		Draw draw = draw(draws.name(), findOrCreate(draws, scope), draws.count(), draws.last(), deadline);
		return new ScopedDraw(draw.granted(), draw.first(), null);
	}

	private Sequence findOrCreate(Draws draws, IdScope scope) {
		return findOrCreate(draws.name(), scope, draws.first(), draws.maxScopes());
	}

	private Sequence findOrCreate(String name, IdScope scope, long first, long maxScopes) {
		// compute() updates a period atomically, so concurrent draws do not create more
		// scopes than allowed
		Map<IdScope, Sequence> updated = this.periods.compute(new PeriodKey(name, scope.period()), (period, known) -> {
			Map<IdScope, Sequence> sequences = (known != null) ? known : new ConcurrentHashMap<>();
			if (!sequences.containsKey(scope) && scopedEntries(sequences).count() >= maxScopes) {
				throw new IdGenerationException("The gapless sequence '" + name + "' has " + maxScopes
						+ " scopes, as many as max-scopes allows, so " + scope + " was not created.");
			}
			sequences.putIfAbsent(scope, new Sequence(first));
			return sequences;
		});
		return Objects.requireNonNull(updated.get(scope));
	}

	private Map<IdScope, Sequence> sequences(String name, String period) {
		return this.periods.getOrDefault(new PeriodKey(name, period), Map.of());
	}

	private static Stream<Map.Entry<IdScope, Sequence>> scopedEntries(Map<IdScope, Sequence> sequences) {
		return sequences.entrySet().stream().filter((entry) -> !entry.getKey().parts().isEmpty());
	}

	@Override
	public void refuseCommit(String name, IdScope scope, RuntimeException failure) {
		StoreArguments.refuseCommit(name, scope, failure);
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				throw failure;
			}

		});
	}

	@Override
	public long start(Draws draws, IdScope scope, long start, Deadline deadline) {
		StoreArguments.start(draws, scope, start, deadline);
		Sequence sequence = findOrCreate(draws, scope);
		if (sequence.drawer == Thread.currentThread()) {
			throw new IdGenerationException("The first number of " + scope + " in the gapless sequence '" + draws.name()
					+ "' cannot be set: a transaction of this thread has drawn a number. Call start before or after"
					+ " that transaction.");
		}
		sequence.acquire(draws.name(), deadline);
		try {
			if (sequence.next == draws.first()) {
				sequence.next = start;
				sequence.committed = start;
			}
			return sequence.next;
		}
		finally {
			sequence.permit.release();
		}
	}

	@Override
	public OptionalLong next(String name, IdScope scope, Deadline deadline) {
		StoreArguments.next(name, scope, deadline);
		Sequence sequence = sequences(name, scope.period()).get(scope);
		return (sequence != null) ? OptionalLong.of(sequence.committed) : OptionalLong.empty();
	}

	@Override
	public Scopes scopes(String name, String period, Deadline deadline) {
		StoreArguments.scopes(name, period, deadline);
		return new Scopes(scopedEntries(sequences(name, period)).count(), this.timeSource.instant());
	}

	@Override
	public List<ScopeState> list(String name, String period, @Nullable String after, int count, Deadline deadline) {
		StoreArguments.list(name, period, count, deadline);
		return scopedEntries(sequences(name, period))
			.map((entry) -> new ScopeState(entry.getKey().name(), entry.getKey().key(), entry.getValue().committed))
			.filter((state) -> after == null || state.key().compareTo(after) > 0)
			.sorted((after != null) ? Comparator.comparing(ScopeState::key)
					: Comparator.comparing(ScopeState::next).reversed())
			.limit(count)
			.toList();
	}

	private Draw draw(String name, Sequence sequence, int count, long last, Deadline deadline) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()
				|| TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new IdGenerationException("No number can be drawn from the gapless sequence '" + name
					+ "': there is no transaction, or only a read-only one. Draw numbers in a @Transactional method or"
					+ " inside a TransactionTemplate.");
		}
		if (TransactionSynchronizationManager.getResource(sequence) == null) {
			sequence.acquire(name, deadline);
			sequence.drawer = Thread.currentThread();
			Lock lock = new Lock(sequence);
			TransactionSynchronizationManager.bindResource(sequence, lock);
			TransactionSynchronizationManager.registerSynchronization(lock);
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
		StoreArguments.next(name, deadline);
		return getUnscoped(name).committed;
	}

	private Sequence getUnscoped(String name) {
		Sequence sequence = sequences(name, IdScope.NONE.period()).get(IdScope.NONE);
		if (sequence == null) {
			throw new KeySpaceRegressionException(
					"The gapless sequence '" + name + "' has vanished from the in-memory store.");
		}
		return sequence;
	}

	/**
	 * The key under which the sequences of a period are stored.
	 */
	private record PeriodKey(String name, String period) {

	}

	/**
	 * The counter of one scope.
	 */
	private static final class Sequence {

		/** Gives one thread or transaction exclusive use of the sequence. */
		private final Semaphore permit = new Semaphore(1);

		/**
		 * The next number. Only the thread or transaction that holds the permit uses this
		 * field.
		 */
		private long next;

		/** The next number, without the draws of a transaction that is still active. */
		private volatile long committed;

		/** The thread whose transaction holds the permit, if any. */
		private volatile @Nullable Thread drawer;

		Sequence(long first) {
			this.next = first;
			this.committed = first;
		}

		void acquire(String name, Deadline deadline) {
			String problem = "another transaction has drawn a number and has not ended within the wait-timeout";
			try {
				if (this.drawer == Thread.currentThread()) {
					problem = "the outer transaction has drawn a number, and cannot end before this inner transaction"
							+ " (REQUIRES_NEW). Draw numbers in only one of the two";
				}
				else if (this.permit.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
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
	 * The lock of a transaction on a sequence. After a rollback, the lock restores the
	 * next number of the sequence.
	 */
	private static final class Lock implements TransactionSynchronization {

		private final Sequence sequence;

		/** The next number of the sequence before the first draw of the transaction. */
		private final long first;

		/** The next number at each savepoint after the first draw. */
		private final Map<Object, Long> savepoints = new HashMap<>();

		private boolean ended;

		Lock(Sequence sequence) {
			this.sequence = sequence;
			this.first = sequence.next;
		}

		@Override
		public int getOrder() {
			// release the sequence before other callbacks draw in new transactions
			return HIGHEST_PRECEDENCE;
		}

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResourceIfPossible(this.sequence);
		}

		@Override
		public void resume() {
			if (!this.ended) {
				TransactionSynchronizationManager.bindResource(this.sequence, this);
			}
		}

		@Override
		public void savepoint(Object savepoint) {
			this.savepoints.put(savepoint, this.sequence.next);
		}

		@Override
		public void savepointRollback(Object savepoint) {
			this.sequence.next = this.savepoints.getOrDefault(savepoint, this.first);
		}

		@Override
		public void afterCommit() {
			end(this.sequence.next);
		}

		@Override
		public void afterCompletion(int status) {
			if (!this.ended) {
				end((status == STATUS_ROLLED_BACK) ? this.first : this.sequence.next);
			}
		}

		private void end(long next) {
			this.ended = true;
			TransactionSynchronizationManager.unbindResourceIfPossible(this.sequence);
			this.sequence.next = next;
			this.sequence.committed = next;
			this.sequence.drawer = null;
			this.sequence.permit.release();
		}

	}

}
