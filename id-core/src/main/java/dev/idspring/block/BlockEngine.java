package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.Reservations;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StateLock;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.StoreWorker.BackOff;
import dev.idspring.worker.StoreWorker.ScheduledTask;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Hands out ordinals, the consecutive numbers of the keys of one key space. The engine
 * reserves ordinals in blocks, ahead of use.
 * <p>
 * Why no ordinal is handed out twice, or before its reservation is durable:
 * <ol>
 * <li>The {@link BlockSource} returns a range of ordinals only after the reservation is
 * durable. It reserves an ordinal again only if the ordinal was given back. Only
 * {@link #accept} adds a reserved range to the {@link BlockQueue}.</li>
 * <li>Callers take ordinals from the current block by advancing its cursor atomically.
 * They take single ordinals, or chunks for the {@link Stripes}, which avoid contention
 * between threads and hand out each ordinal at most once. A block becomes current only
 * once, under the lock. The new current block is the next one in the queue, or the rest
 * of a block that {@link BlockQueue#gather} drained. Ordinals reclaimed from stripes form
 * new blocks.</li>
 * <li>When the source detects that the store returned to an earlier state, such as a
 * restored backup, the engine stops: it drains all blocks and shuts the stripes under the
 * lock. From then on, a caller finds no ordinal, takes the lock, and gets an
 * exception.</li>
 * <li>Closing sets {@link #terminalFailure}, drains all blocks and then shuts the
 * stripes, all under the lock. So no caller can take an ordinal that is given back. Each
 * ordinal is given back at most once, because only the first call that closes the engine
 * gives ordinals back.</li>
 * </ol>
 * The {@link #lock} protects the state that both callers and the worker change, and no
 * error leaves it held. {@link StoreWorker} explains why no caller waits forever.
 */
final class BlockEngine implements StoreWorker.Job {

	private static final Duration MAX_BACK_OFF = Duration.ofSeconds(30);

	private static final Supplier<Duration> SWEEP_INTERVAL = () -> Duration.ofMinutes(1);

	private final BlockSource source;

	private final Reservations reservations;

	private final TimeSource timeSource;

	private final Listeners listeners;

	private final BlockSupply supply;

	private final StoreWorker worker;

	private final ScheduledTask retry;

	private final ScheduledTask leaseRenewal;

	private final ScheduledTask stripeSweep;

	private final Duration waitTimeout;

	private final Stripes stripes;

	private final BlockQueue queue;

	private final BlockSizing sizing;

	private final ReservationStatistics statistics = new ReservationStatistics();

	private final BackOff backOff = new BackOff(MAX_BACK_OFF, (bound) -> ThreadLocalRandom.current().nextLong(bound));

	private final StateLock lock = new StateLock();

	// The lock protects all fields below. The volatile field may be read without the
	// lock.

	/**
	 * The refill that callers wait for, or {@code null} if there is none. Callers that
	 * find too few ordinals in memory join it and share its deadline. If that deadline
	 * has passed, they begin another refill, which may wait for the same reservation. A
	 * caller that has to wait again keeps its first deadline. So a store that never
	 * answers delays each call by at most the wait timeout.
	 */
	private @Nullable PendingRefill pendingRefill;

	/**
	 * Whether {@link #dropMemory} discarded the ordinals in memory, so that no block is
	 * reserved until a caller needs an ordinal.
	 */
	private boolean pausedUntilDemand;

	/**
	 * When to try to reserve again after the store had no ordinals left, or {@code null}.
	 * Until then, callers that find too few ordinals in memory get an exception.
	 */
	private @Nullable Deadline exhaustedUntil;

	private boolean closed;

	/**
	 * Whether the store returned to an earlier state. If so, no ordinals are given back,
	 * even when the engine closes.
	 */
	private boolean halted;

	/**
	 * The exception that callers get once the engine is closed or halted, {@code null}
	 * until then.
	 */
	private volatile @Nullable RuntimeException terminalFailure;

	BlockEngine(String generator, ReservedKeySpace opened, BlockSource source, BlockSettings settings,
			TimeSource timeSource, StoreExecutor executor, Listeners listeners, Stripes stripes) {
		this.source = source;
		this.reservations = opened.reservations();
		this.timeSource = timeSource;
		this.listeners = listeners;
		this.supply = new BlockSupply(generator, opened, source, settings, timeSource, executor, listeners, this::halt);
		this.worker = new StoreWorker(executor, this);
		this.retry = this.worker.scheduledTask(this::retry);
		this.leaseRenewal = this.worker.scheduledTask(this::renewLease);
		this.stripeSweep = this.worker.scheduledTask(this::sweep);
		this.waitTimeout = settings.waitTimeout();
		this.stripes = stripes;
		this.queue = new BlockQueue(opened.keySpace());
		this.sizing = new BlockSizing(settings, timeSource.nanoTime());
	}

	Stripes stripes() {
		return this.stripes;
	}

	void start() {
		refill();
		planRenewal();
	}

	Block current() {
		return this.queue.current();
	}

	long remaining() {
		return this.source.remaining();
	}

	Deadline deadline() {
		return this.supply.deadline();
	}

	/**
	 * Return whether a caller that finds too few ordinals in memory would probably wait
	 * in vain: the store has no ordinals left, or a failed reservation is being repeated.
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

	long take() {
		long ordinal = takeFromCurrent();
		return (ordinal != Block.NONE) ? ordinal : take(1, null).get(0).start();
	}

	/**
	 * Take the next ordinal of the current block.
	 * @return the ordinal, or {@link Block#NONE} if the block is used up
	 */
	long takeFromCurrent() {
		Block block = this.queue.current();
		long ordinal = block.take();
		if (ordinal != Block.NONE && block.becomesHalfUsed(ordinal, 1)) {
			refill();
		}
		return ordinal;
	}

	/**
	 * Take several ordinals, waiting for the store if too few are in memory.
	 * @param count how many ordinals to take, at least 1
	 * @param callersDeadline the deadline of the caller, {@code null} if it has not
	 * waited yet
	 * @return ranges that together hold {@code count} ordinals; none of them crosses a
	 * {@link dev.idspring.keyspace.KeySpace#rangeEnd}
	 */
	List<OrdinalRange> take(int count, @Nullable Deadline callersDeadline) {
		List<OrdinalRange> ranges = takeFromMemory(count);
		Deadline deadline = callersDeadline;
		if (ranges.isEmpty() && exceedsAvailable(count)) {
			deadline = (deadline != null) ? deadline : deadline();
			failIfInsufficient(count, deadline);
		}
		while (ranges.isEmpty()) {
			deadline = awaitRefill(count, deadline);
			ranges = takeFromMemory(count);
		}
		return ranges;
	}

	/**
	 * Take several ordinals without waiting.
	 * @return the ranges; empty if fewer ordinals are in memory, and then none are taken
	 */
	List<OrdinalRange> takeFromMemory(int count) {
		Block block = this.queue.current();
		long start = block.take(count);
		if (start != Block.NONE) {
			if (block.becomesHalfUsed(start, count)) {
				refill();
			}
			return List.of(new OrdinalRange(start, start + count));
		}
		this.lock.lock();
		try {
			List<OrdinalRange> ranges = this.queue.gather(count);
			if (!ranges.isEmpty()) {
				refillIfNeeded();
			}
			return ranges;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Reject a bulk call that cannot succeed, before it reserves ordinals that other
	 * callers could use. Read the store first, because another instance may have given
	 * back ordinals.
	 */
	private void failIfInsufficient(int count, Deadline deadline) {
		awaitRead(deadline);
		this.lock.lock();
		try {
			if (exceedsAvailable(count)) {
				throw this.supply.exhaustedException(count, this.queue.size());
			}
		}
		finally {
			this.lock.unlock();
		}
		// count this wait here, because awaitRefill counts only calls that have no
		// deadline yet
		this.statistics.countEmptyMemory();
	}

	private boolean exceedsAvailable(int count) {
		this.lock.lock();
		try {
			long remaining = remaining();
			return !isInMemory(count) && this.terminalFailure == null && remaining > 0
					&& count - this.queue.size() > remaining;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until another attempt to take {@code count} ordinals may succeed. This method
	 * returns at once if enough are in memory.
	 * @param callersDeadline the deadline from the first wait of the caller, {@code null}
	 * if it has not waited yet
	 * @return the deadline for further waits of the caller, or {@code null} if it has not
	 * had to wait yet
	 */
	@Nullable Deadline awaitRefill(int count, @Nullable Deadline callersDeadline) {
		long started = this.timeSource.nanoTime();
		PendingRefill refill = joinIfNeeded(count, callersDeadline);
		if (refill == null) {
			return callersDeadline;
		}
		Deadline deadline = (callersDeadline != null) ? callersDeadline : refill.deadline();
		try {
			refill.await(deadline, this::unavailable);
		}
		catch (IdStoreUnavailableException ex) {
			// during the wait, another thread may have added a shared chunk, and its
			// ordinals can be reclaimed
			if (!isInMemory(count)) {
				throw ex;
			}
		}
		finally {
			this.statistics.addWait(this.timeSource.nanoTime() - started);
		}
		return deadline;
	}

	private @Nullable PendingRefill joinIfNeeded(int count, @Nullable Deadline callersDeadline) {
		this.lock.lock();
		try {
			verifyRunning();
			if (isInMemory(count)) {
				return null;
			}
			if (isExhausted()) {
				throw this.supply.exhaustedException(count, this.queue.size());
			}
			if (callersDeadline == null) {
				this.statistics.countEmptyMemory();
			}
			else if (callersDeadline.hasPassed()) {
				throw unavailable(
						"the store granted less than this call needs, or other callers consumed the reserved block",
						null);
			}
			return join(count);
		}
		finally {
			this.lock.unlock();
		}
	}

	private PendingRefill join(int count) {
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
	 * Return whether blocks hold at least {@code count} ordinals. If they hold fewer,
	 * first reclaim unused ordinals from stripes.
	 */
	private boolean isInMemory(int count) {
		this.lock.lock();
		try {
			advanceToNextBlock();
			if (this.queue.size() < count) {
				List<OrdinalRange> reclaimed = this.stripes.reclaim();
				if (!reclaimed.isEmpty()) {
					this.queue.addLeftovers(reclaimed);
					advanceToNextBlock();
					refillIfNeeded();
				}
			}
			return this.queue.size() >= count;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void advanceToNextBlock() {
		while (this.queue.advance()) {
			refillIfNeeded();
		}
	}

	/**
	 * Make the calling thread the owner of the stripe that the thread's id selects, if
	 * that stripe has no owner.
	 */
	@Nullable Stripe claim() {
		this.lock.lock();
		try {
			// schedule the sweep first: a stripe must be swept even if a later step fails
			this.stripeSweep.schedule(SWEEP_INTERVAL);
			return this.stripes.claim(Thread.currentThread());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Remove dead threads as owners of stripes. Reservations do this as well, but there
	 * may be no reservation for a long time.
	 */
	private void sweep() {
		this.lock.lock();
		try {
			if (this.stripes.sweep()) {
				this.stripeSweep.schedule(SWEEP_INTERVAL);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Request the next block if taking a chunk made the current block half used. Call
	 * this only after the chunk was put into the stripes, so that its ordinals do not
	 * count as issued. If another block has become current by then, the change of blocks
	 * has already triggered {@link #refillIfNeeded}.
	 */
	void refillIfHalfway(long start, int count) {
		if (this.queue.current().becomesHalfUsed(start, count)) {
			refill();
		}
	}

	private void refill() {
		this.lock.lock();
		try {
			refillIfNeeded();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Repeat a failed reservation, unless memory holds enough ordinals or was dropped.
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

	private boolean refillIfNeeded() {
		boolean isRefillDue = this.queue.isHalfUsed() || this.queue.size() < this.sizing.leastInMemory(remaining());
		boolean isRequested = isRefillDue && !this.pausedUntilDemand && !isExhausted();
		if (isRequested) {
			request();
		}
		return isRequested;
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

	private boolean isExhausted() {
		return this.exhaustedUntil != null && !this.exhaustedUntil.hasPassed();
	}

	@Override
	public void attempt() {
		long count = nextCount();
		if (count == 0) {
			return;
		}
		Deadline deadline = deadline();
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
			return Math.max(this.source.nextCount(this.sizing.next(remaining()), inMemory), demand() - inMemory);
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
	 * them, too.
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
			this.queue.confirm(range);
			this.queue.drop(range.size());
		}
		else if (this.closed) {
			this.queue.confirm(range);
			this.queue.retainUnused(List.of(range));
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
				notifyWaitingCallers(failure, deadline);
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
	 * Notify waiting callers that an attempt ended with an unknown outcome, and schedule
	 * a retry. If the retry cannot be scheduled, the next caller begins another attempt.
	 */
	@Override
	public void abandoned(Throwable reason) {
		this.lock.lock();
		try {
			RuntimeException failure = unexpectedFailure(reason);
			this.statistics.recordFailure(failure);
			notifyWaitingCallers(failure, null);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * After a failed attempt, notify waiting callers and schedule a retry. If the attempt
	 * used up its time, but a caller that joined later has time left, retry at once
	 * instead.
	 * @param deadline the deadline of the attempt, or {@code null} if the attempt was
	 * abandoned
	 */
	private void notifyWaitingCallers(RuntimeException failure, @Nullable Deadline deadline) {
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
			this.supply.renew();
		}
		finally {
			planRenewal();
		}
	}

	/**
	 * Stop permanently: hand out no more ordinals, and give none back.
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
	 * Remove and return all ordinals that no caller has taken, except those in the
	 * stripes of other living threads, which are lost. The blocks are drained first, so
	 * that no chunk can be cut from them once the stripes are shut.
	 */
	private List<OrdinalRange> drain() {
		List<OrdinalRange> drained = this.queue.drain();
		this.queue.drop(this.stripes.shut(drained));
		return drained;
	}

	private void dropAll() {
		this.queue.drop(BlockQueue.size(drain()));
		this.queue.dropUnused();
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
	 * Drop all ordinals, and give callers new stripes, unless the engine has stopped.
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
	 * Stop handing out ordinals, and begin to give unused ones back where that is safe,
	 * without waiting for the store.
	 * @return a future that completes when the attempt to give back unused ordinals has
	 * ended; it is already completed if another call has closed the engine
	 */
	CompletableFuture<Boolean> beginClose() {
		return stopServing() ? this.worker.close(() -> this.supply.giveBack(unused()))
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
				this.queue.retainUnused(drain());
				complete(this.terminalFailure);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<OrdinalRange> unused() {
		this.lock.lock();
		try {
			return this.queue.unused();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return the ordinals that are in blocks and that no caller has taken yet.
	 */
	List<OrdinalRange> unusedRanges() {
		this.lock.lock();
		try {
			return this.queue.unusedRanges();
		}
		finally {
			this.lock.unlock();
		}
	}

	CompletableFuture<Boolean> refresh(Deadline deadline) {
		RuntimeException stopped = this.terminalFailure;
		return (stopped != null) ? CompletableFuture.failedFuture(stopped) : this.supply.refresh(deadline);
	}

	/**
	 * Return whether any instance has reserved the given ordinal. This reads the store
	 * unless the ordinal is known to be reserved.
	 */
	boolean isReserved(long ordinal, Deadline deadline) {
		if (!this.reservations.isCertainlyReserved(ordinal)) {
			awaitRead(deadline);
		}
		return this.reservations.isReserved(ordinal);
	}

	void verifyRunning() {
		RuntimeException stopped = this.terminalFailure;
		if (stopped != null) {
			throw StoreAwait.copyForCaller(stopped);
		}
	}

	private void awaitRead(Deadline deadline) {
		verifyRunning();
		this.supply.awaitRead(deadline);
	}

	BlockEngines.Snapshot snapshot() {
		this.lock.lock();
		try {
			boolean empty = this.queue.size() == 0 && this.stripes.reclaimable() == 0;
			return new BlockEngines.Snapshot(this.statistics.snapshot(this.sizing.size(), this.queue, this.stripes),
					empty, empty && this.exhaustedUntil != null, issued(),
					this.statistics.storeFailure(this.supply.readFailure()), this.terminalFailure);
		}
		finally {
			this.lock.unlock();
		}
	}

	private IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return this.supply.unavailableException(problem, (cause != null) ? cause : this.statistics.lastFailure());
	}

}
