package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StateLock;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.StoreWorker.BackOff;
import dev.idspring.worker.StoreWorker.ScheduledTask;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Reserves the blocks of one {@link BlockEngine} ahead of use, retries failed
 * reservations, and renews the lease of the source, if any. Stops when it is closed, or
 * when the store has returned to an earlier state. Callers that find too few ordinals in
 * memory wait for a {@link PendingRefill}. {@link BlockEngine} explains why no ordinal is
 * handed out twice.
 */
final class BlockRefiller implements StoreWorker.Job {

	private static final Duration MAX_BACK_OFF = Duration.ofSeconds(30);

	private final BlockSource source;

	private final TimeSource timeSource;

	private final Listeners listeners;

	private final BlockSupply supply;

	private final StoreWorker worker;

	private final ScheduledTask retry;

	private final ScheduledTask leaseRenewal;

	private final Duration waitTimeout;

	private final Stripes stripes;

	private final BlockQueue queue;

	private final BlockSizing sizing;

	private final ReservationStatistics statistics = new ReservationStatistics();

	private final BackOff backOff = new BackOff(MAX_BACK_OFF, (bound) -> ThreadLocalRandom.current().nextLong(bound));

	private final StateLock lock = new StateLock();

	// The lock protects the queue and all fields below. The volatile field may be read
	// without the lock.

	/**
	 * The refill that callers wait for, or {@code null} if there is none. Callers that
	 * find too few ordinals in memory join the refill and share its deadline. After that
	 * deadline, the next caller begins another refill, which may wait for the same
	 * reservation. A caller that has to wait again keeps its first deadline. So a store
	 * that never answers delays each call by at most the wait timeout.
	 */
	private @Nullable PendingRefill pendingRefill;

	/**
	 * Whether {@link #dropMemory} discarded the ordinals in memory, so that no block is
	 * reserved until a caller needs an ordinal.
	 */
	private boolean pausedUntilDemand;

	/**
	 * The end of the back-off after the store had no ordinals left, or {@code null} if
	 * the store had some. During the back-off, callers that find too few ordinals in
	 * memory get an exception.
	 */
	private @Nullable Deadline exhaustedUntil;

	private boolean closed;

	/**
	 * Whether the store returned to an earlier state. If so, no ordinals are given back,
	 * even when the engine closes.
	 */
	private boolean halted;

	/**
	 * The exception that callers get once the engine is closed or halted, or {@code null}
	 * while it is running.
	 */
	private volatile @Nullable RuntimeException terminalFailure;

	BlockRefiller(String generator, ReservedKeySpace opened, BlockSource source, BlockSettings settings,
			TimeSource timeSource, StoreExecutor executor, Listeners listeners, Stripes stripes) {
		this.source = source;
		this.timeSource = timeSource;
		this.listeners = listeners;
		this.supply = new BlockSupply(generator, opened, source, settings, timeSource, executor, listeners, this::halt);
		this.worker = new StoreWorker(executor, this);
		this.retry = new ScheduledTask(executor, this::retry);
		this.leaseRenewal = new ScheduledTask(executor, this::renewLease);
		this.waitTimeout = settings.waitTimeout();
		this.stripes = stripes;
		this.queue = new BlockQueue(opened.keySpace());
		this.sizing = new BlockSizing(settings, timeSource.nanoTime());
	}

	StateLock lock() {
		return this.lock;
	}

	BlockQueue queue() {
		return this.queue;
	}

	BlockSupply supply() {
		return this.supply;
	}

	ReservationStatistics statistics() {
		return this.statistics;
	}

	@Nullable RuntimeException terminalFailure() {
		return this.terminalFailure;
	}

	void start() {
		refillIfNeeded();
		planRenewal();
	}

	/**
	 * Request ordinals for a caller that found too few in memory. Call this under the
	 * lock.
	 * @return the refill to wait for
	 */
	PendingRefill join(int count) {
		PendingRefill refill = this.pendingRefill;
		if (refill == null || refill.deadline().hasPassed()) {
			refill = new PendingRefill(this.supply.deadline());
			this.pendingRefill = refill;
		}
		refill.addDemand(count);
		this.pausedUntilDemand = false;
		request();
		return refill;
	}

	/**
	 * Return whether a caller that waited for the store would probably get no ordinals:
	 * the store has none left, or the last reservation failed and will be retried.
	 */
	boolean isStarved() {
		this.lock.lock();
		try {
			return isExhausted() || this.statistics.isRetrying();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Make the next block current if the current one is used up. Call this under the
	 * lock.
	 */
	void advanceToNextBlock() {
		while (this.queue.advance()) {
			refillIfNeeded();
		}
	}

	/**
	 * Throw an exception if the engine is closed or halted.
	 */
	void verifyRunning() {
		RuntimeException stopped = this.terminalFailure;
		if (stopped != null) {
			throw StoreAwait.copyForCaller(stopped);
		}
	}

	/**
	 * Retry a failed reservation, unless no refill is needed any more.
	 */
	private void retry() {
		this.lock.lock();
		try {
			if (!refillIfNeeded()) {
				this.statistics.recordNoRetry();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Request the next block if too few ordinals are in memory.
	 * @return whether the next block was requested
	 */
	boolean refillIfNeeded() {
		this.lock.lock();
		try {
			boolean isRefillDue = this.queue.isHalfUsed()
					|| this.queue.size() < this.sizing.leastInMemory(this.source.remaining());
			boolean isRequested = isRefillDue && !this.pausedUntilDemand && !isExhausted();
			if (isRequested) {
				request();
			}
			return isRequested;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Begin to reserve a block, unless a reservation is under way or the engine has
	 * stopped.
	 */
	private void request() {
		if (this.terminalFailure == null) {
			this.worker.request();
		}
	}

	/**
	 * Return whether the store had no ordinals left, and the back-off has not ended. Call
	 * this under the lock.
	 */
	boolean isExhausted() {
		return this.exhaustedUntil != null && !this.exhaustedUntil.hasPassed();
	}

	@Override
	public void attempt() {
		long count = nextCount();
		if (count == 0) {
			return;
		}
		Deadline deadline = this.supply.deadline();
		long started = this.timeSource.nanoTime();
		OrdinalRange range;
		try {
			range = this.supply.reserve(count, deadline);
		}
		catch (Throwable ex) {
			reservationFailed(ex, deadline);
			return;
		}
		Duration took = reservationSucceeded(range, started);
		this.supply.updateForecast();
		// listeners may read the forecast, so they are called only after it was updated
		this.listeners.notifyListeners((listener, name) -> listener.reserved(name, range.size(), took));
	}

	/**
	 * Return how many ordinals to reserve, or 0 if memory was dropped and no caller needs
	 * an ordinal. In that case the attempt ends here, under the lock, so that the next
	 * caller begins another attempt.
	 */
	private long nextCount() {
		this.lock.lock();
		try {
			if (this.pausedUntilDemand) {
				this.worker.ended();
				return 0;
			}
			this.sizing.observe(issued(), this.timeSource.nanoTime(), this.statistics.lastReservationTook());
			long inMemory = this.queue.size();
			return Math.max(this.source.nextCount(this.sizing.next(this.source.remaining()), inMemory),
					demand() - inMemory);
		}
		finally {
			this.lock.unlock();
		}
	}

	private long demand() {
		return (this.pendingRefill != null && !this.pendingRefill.deadline().hasPassed()) ? this.pendingRefill.demand()
				: 0;
	}

	private long issued() {
		return this.queue.issuedCount(this.stripes.left());
	}

	/**
	 * Add the range to the ordinals in memory, and wake the callers. If a step before
	 * {@link StoreWorker#ended} fails, the worker calls {@link #abandoned}, which wakes
	 * the callers instead.
	 * @return the duration of the reservation
	 */
	private Duration reservationSucceeded(OrdinalRange range, long started) {
		this.lock.lock();
		try {
			// accept the range first: this instance owns it even if a later step fails
			accept(range);
			Duration took = Duration.ofNanos(this.timeSource.nanoTime() - started);
			this.statistics.recordReservation(this.timeSource.instant(), took);
			if (this.terminalFailure == null) {
				boolean nothingLeft = range.isEmpty() || this.source.isUsedUp();
				if (!nothingLeft) {
					this.backOff.reset();
				}
				// other instances may still give ordinals back, so a later retry may
				// succeed
				this.exhaustedUntil = nothingLeft ? this.supply.deadlineAfter(this.backOff.next()) : null;
				complete(null);
			}
			this.worker.ended();
			advanceToNextBlock();
			refillIfNeeded();
			this.stripes.sweep();
			// an earlier attempt to schedule the renewal may have failed
			planRenewal();
			return took;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void accept(OrdinalRange range) {
		if (this.halted) {
			this.queue.countConfirmed(range);
			this.queue.countDropped(range.size());
		}
		else if (this.closed) {
			this.queue.countConfirmed(range);
			this.queue.retain(List.of(range));
		}
		else {
			this.queue.add(range);
		}
	}

	private void reservationFailed(Throwable reason, Deadline deadline) {
		RuntimeException failure = (reason instanceof IdGenerationException explained) ? explained
				: unexpectedFailure(reason);
		long inMemory;
		this.lock.lock();
		try {
			this.worker.ended();
			this.statistics.recordFailure(failure);
			if (!(failure instanceof KeySpaceRegressionException)) {
				notifyCallersAndRetry(failure, deadline);
			}
			// do this last, because it allocates and may throw an OutOfMemoryError
			inMemory = this.queue.size();
		}
		finally {
			this.lock.unlock();
		}
		if (failure instanceof KeySpaceRegressionException regression) {
			halt(regression);
		}
		else {
			this.listeners.notifyListeners((listener, name) -> listener.failed(name, failure, inMemory));
		}
	}

	private RuntimeException unexpectedFailure(Throwable reason) {
		return unavailable("reserving a block failed: " + reason, reason);
	}

	/**
	 * Notify waiting callers that an attempt could not begin, or ended with an unknown
	 * outcome, and schedule a retry. If the retry cannot be scheduled, the next caller
	 * begins another attempt.
	 */
	@Override
	public void abandoned(Throwable reason) {
		this.lock.lock();
		try {
			RuntimeException failure = unexpectedFailure(reason);
			this.statistics.recordFailure(failure);
			notifyCallersAndRetry(failure, null);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * After a failed attempt, notify waiting callers and schedule a retry. If the attempt
	 * used up its time, but a caller that joined later has time left, notify no callers
	 * yet, and retry at once.
	 * @param deadline the deadline of the attempt, or {@code null} if the attempt was
	 * abandoned
	 */
	private void notifyCallersAndRetry(RuntimeException failure, @Nullable Deadline deadline) {
		if (this.terminalFailure != null) {
			return;
		}
		// stores give up slightly before the deadline, so a remaining time within the
		// tolerance counts as none
		Duration tolerance = this.waitTimeout.dividedBy(10);
		boolean usedUpItsTime = deadline != null && deadline.remaining().compareTo(tolerance) <= 0;
		if (usedUpItsTime && this.pendingRefill != null
				&& this.pendingRefill.deadline().remaining().compareTo(tolerance) > 0) {
			this.pendingRefill.recordFailedAttempt(failure);
			request();
		}
		else {
			complete(failure);
			// schedules only one retry, even if further attempts fail before it runs
			this.retry.schedule(this.backOff::next);
		}
	}

	private void complete(@Nullable RuntimeException failure) {
		PendingRefill completed = this.pendingRefill;
		if (completed != null) {
			// this may throw a StackOverflowError; in that case the refill stays pending,
			// and the next attempt completes it
			completed.complete(failure);
			this.pendingRefill = null;
		}
	}

	private void planRenewal() {
		Duration interval = this.source.renewalInterval();
		if (interval != null && this.terminalFailure == null) {
			// the jitter prevents instances that started at the same time from renewing
			// at the same time
			this.leaseRenewal
				.schedule(() -> interval.minusNanos(ThreadLocalRandom.current().nextLong(interval.toNanos() / 4 + 1)));
		}
	}

	private void renewLease() {
		try {
			// a renewal that was due during the close may run after ordinals were given
			// back, and would mistake the lower position of its series for a regression
			if (this.terminalFailure == null) {
				this.supply.renew();
			}
		}
		finally {
			planRenewal();
		}
	}

	/**
	 * Stop permanently. From now on, hand out no ordinals, and give none back.
	 */
	void halt(KeySpaceRegressionException reason) {
		RuntimeException stopped = this.supply.stoppedException(reason);
		boolean wasRunning;
		this.lock.lock();
		try {
			wasRunning = this.terminalFailure == null;
			this.halted = true;
			if (wasRunning) {
				this.terminalFailure = stopped;
			}
			// also drop the ordinals that were to be given back
			dropAll();
			complete(stopped);
		}
		finally {
			this.lock.unlock();
		}
		if (wasRunning) {
			this.listeners.notifyListeners((listener, name) -> listener.stopped(name, reason));
		}
	}

	/**
	 * Remove and return all ordinals that no caller has taken, except those that are lost
	 * when the {@link Stripes} are shut. The blocks are drained first, so that no chunk
	 * can be cut from them once the stripes are shut.
	 */
	private List<OrdinalRange> drain() {
		List<OrdinalRange> drained = this.queue.drain();
		this.queue.countDropped(this.stripes.shut(drained));
		return drained;
	}

	private void dropAll() {
		this.queue.countDropped(BlockQueue.size(drain()));
		this.queue.dropRetained();
	}

	/**
	 * Discard the ordinals in memory without giving them back, because a clone of this
	 * process may use them. The engine then reserves no block until a caller needs
	 * ordinals.
	 */
	CompletableFuture<?> dropMemory() {
		long dropped = dropMemoryAndReplaceStripes();
		if (this.terminalFailure != null) {
			return CompletableFuture.completedFuture(false);
		}
		return CompletableFuture.runAsync(() -> {
			this.source.dropMemory();
			// drops the range of an attempt that was under way
			dropMemoryAndReplaceStripes();
			this.listeners.notifyListeners((listener, name) -> listener.memoryDropped(name, dropped));
		}, this.worker::execute);
	}

	/**
	 * Drop all ordinals, and replace the stripes, unless the engine has stopped.
	 * @return how many ordinals were in the queue
	 */
	private long dropMemoryAndReplaceStripes() {
		this.lock.lock();
		try {
			long size = this.queue.size();
			if (this.terminalFailure == null) {
				dropAll();
				this.stripes.replace();
				this.pausedUntilDemand = demand() == 0;
			}
			return size;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stop handing out ordinals, and begin to give unused ones back where that is safe.
	 * This method does not wait for the store.
	 * @return a future that completes when the attempt to give back unused ordinals has
	 * ended; it is already completed if an earlier call has closed the engine
	 */
	CompletableFuture<Boolean> beginClose() {
		return stopServing() ? this.worker.close(() -> this.supply.giveBack(retained()))
				: CompletableFuture.completedFuture(false);
	}

	private boolean stopServing() {
		this.lock.lock();
		try {
			if (this.closed) {
				return false;
			}
			this.closed = true;
			if (this.terminalFailure == null) {
				this.terminalFailure = this.supply.closedException();
				this.queue.retain(drain());
				complete(this.terminalFailure);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<OrdinalRange> retained() {
		this.lock.lock();
		try {
			return this.queue.retained();
		}
		finally {
			this.lock.unlock();
		}
	}

	BlockEngines.Snapshot snapshot() {
		this.lock.lock();
		try {
			boolean empty = this.queue.size() == 0 && this.stripes.reclaimable() == 0;
			long size = this.sizing.next(this.source.remaining());
			return new BlockEngines.Snapshot(this.statistics.snapshot(size, this.queue, this.stripes), empty,
					empty && this.exhaustedUntil != null, issued(),
					this.statistics.storeFailure(this.supply.readFailure()), this.terminalFailure);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Create the exception that callers get when the store supplied too few ordinals.
	 * @param cause the cause, or {@code null} for the last reservation's failure, if any
	 */
	IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return this.supply.unavailableException(problem, (cause != null) ? cause : this.statistics.lastFailure());
	}

}
