package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.BlockSupply.Reservation;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StateLock;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.StoreWorker.BackOff;
import dev.idspring.worker.StoreWorker.Planned;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Hands out ordinals of one key space, from blocks that are reserved ahead of use.
 * <p>
 * Why no ordinal is handed out twice, or before its reservation is durable:
 * <ol>
 * <li>The source returns a range only after it is durable, and never returns an ordinal
 * twice ({@link BlockSource}). Only {@link #accept} adds a reserved range to the
 * {@link BlockQueue}.</li>
 * <li>Callers take ordinals from the current block by atomic advances of its cursor. They
 * take single ordinals, or chunks for their {@link Stripes}, which hand out no ordinal
 * twice. A block becomes the current one under the lock, and only once: as the next
 * block, or as the rest of a drained block whose other part went to one bulk caller.
 * Ordinals reclaimed from stripes form a block of their own.</li>
 * <li>When the source detects that the store went backwards, the engine stops. It drains
 * all blocks and shuts the stripes before any caller is served again.</li>
 * <li>Closing sets {@link #terminal}, then drains all blocks, then shuts the stripes, all
 * under the lock. So callers can no longer take the ordinals that are given back. These
 * are given back at most once.</li>
 * </ol>
 * {@link StoreWorker} explains why nothing hangs. {@link #lock} protects state that
 * callers and the worker both change, and no error leaves it locked. Callers that find no
 * ordinal in memory join one {@link PendingRefill} with one deadline. They retain that
 * deadline when the first refill does not serve them. So a store that never answers costs
 * each of them the timeout only once.
 */
final class BlockEngine implements StoreWorker.Job, AutoCloseable {

	private static final Duration LAST_BACK_OFF = Duration.ofSeconds(30);

	private static final Supplier<Duration> SWEEP_INTERVAL = () -> Duration.ofMinutes(1);

	private final BlockSupply supply;

	private final StoreWorker worker;

	private final Planned retrying;

	private final Planned renewing;

	private final Planned sweeping;

	private final Duration waitTimeout;

	private final Stripes stripes;

	private final BlockQueue queue;

	private final BlockSizing sizing;

	private final ReservationStatistics statistics = new ReservationStatistics();

	private final BackOff backOff = new BackOff(LAST_BACK_OFF, (bound) -> ThreadLocalRandom.current().nextLong(bound));

	private final StateLock lock = new StateLock();

	// All fields below are guarded.

	private @Nullable PendingRefill pending;

	/** Whether memory was dropped, and no caller waited then or has waited since. */
	private boolean resting;

	/** When the next reservation from an exhausted key space may begin. */
	private @Nullable Deadline exhausted;

	private boolean closed;

	private boolean halted;

	private volatile @Nullable RuntimeException terminal;

	BlockEngine(String generator, ReservedKeySpace opened, BlockSource source, BlockSettings settings,
			TimeSource timeSource, StoreExecutor executor, Listeners listeners, Stripes stripes) {
		this.supply = new BlockSupply(generator, opened, source, settings, timeSource, executor, listeners, this::halt);
		this.worker = new StoreWorker(executor, this);
		this.retrying = this.worker.planned(this::refill);
		this.renewing = this.worker.planned(this::renewClaim);
		this.sweeping = this.worker.planned(this::sweep);
		this.waitTimeout = settings.waitTimeout();
		this.stripes = stripes;
		this.queue = new BlockQueue(opened.keySpace());
		this.sizing = new BlockSizing(settings, timeSource.nanoTime());
	}

	Duration waitTimeout() {
		return this.waitTimeout;
	}

	Stripes stripes() {
		return this.stripes;
	}

	void start() {
		refill();
		planRenewal();
	}

	/**
	 * Return the block that callers take from.
	 */
	Block current() {
		return this.queue.current();
	}

	/**
	 * Return how many ordinals are left to reserve.
	 */
	long remaining() {
		return this.supply.remaining();
	}

	/**
	 * Take the next ordinal.
	 */
	long take() {
		Deadline deadline = null;
		long ordinal = takeFromCurrent();
		while (ordinal == Block.NONE) {
			deadline = awaitRefill(1, deadline);
			ordinal = takeFromCurrent();
		}
		return ordinal;
	}

	/**
	 * Take the next ordinal of the current block.
	 * @return the ordinal, or {@link Block#NONE} if the block is used up
	 */
	long takeFromCurrent() {
		Block block = this.queue.current();
		long ordinal = block.take();
		if (ordinal != Block.NONE && block.isHalfway(ordinal, 1)) {
			refill();
		}
		return ordinal;
	}

	/**
	 * Take several ordinals, all or none.
	 * @param count how many, at least 1
	 * @return ranges that together hold {@code count} ordinals; none crosses a boundary
	 * of the key space
	 */
	List<OrdinalRange> take(int count) {
		Block block = this.queue.current();
		long start = block.take(count);
		if (start != Block.NONE) {
			if (block.isHalfway(start, count)) {
				refill();
			}
			return List.of(new OrdinalRange(start, start + count));
		}
		List<OrdinalRange> ranges = gather(count);
		if (ranges.isEmpty() && isMoreThanThereIs(count)) {
			failIfInsufficient(count);
		}
		Deadline deadline = null;
		while (ranges.isEmpty()) {
			deadline = awaitRefill(count, deadline);
			ranges = gather(count);
		}
		return ranges;
	}

	private List<OrdinalRange> gather(int count) {
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
	 * Reject a bulk call that must fail, before it takes all ordinals from other callers.
	 * Reads the store first, because ordinals may have been given back.
	 */
	private void failIfInsufficient(int count) {
		awaitRead(this.supply.deadline());
		if (isMoreThanThereIs(count)) {
			throw exhausted(count);
		}
	}

	private boolean isMoreThanThereIs(int count) {
		this.lock.lock();
		try {
			reclaimIfNeeded(count);
			long remaining = remaining();
			return this.terminal == null && remaining > 0 && count - this.queue.size() > remaining;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until a retry to take {@code count} ordinals may succeed.
	 * @param callersDeadline the deadline of the caller, {@code null} if it has not
	 * waited yet
	 * @return the deadline of the caller, {@code null} if it has not waited yet
	 */
	@Nullable Deadline awaitRefill(int count, @Nullable Deadline callersDeadline) {
		long started = this.supply.nanoTime();
		PendingRefill joined = joinIfNeeded(count, callersDeadline);
		if (joined == null) {
			return callersDeadline;
		}
		Deadline deadline = (callersDeadline != null) ? callersDeadline : joined.deadline();
		try {
			joined.await(deadline, this::unavailable);
			return deadline;
		}
		catch (IdStoreUnavailableException ex) {
			// another thread may have put a chunk into a shared stripe meanwhile
			if (!isInMemory(count)) {
				throw ex;
			}
			return deadline;
		}
		finally {
			this.statistics.waited(this.supply.nanoTime() - started);
		}
	}

	private @Nullable PendingRefill joinIfNeeded(int count, @Nullable Deadline callersDeadline) {
		this.lock.lock();
		try {
			if (this.terminal != null) {
				throw StoreAwait.forCaller(this.terminal);
			}
			if (isInMemory(count)) {
				return null;
			}
			if (isExhausted()) {
				throw exhausted(count);
			}
			if (callersDeadline == null) {
				this.statistics.foundNothing();
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
		PendingRefill joined = this.pending;
		if (joined == null || joined.deadline().hasPassed()) {
			joined = new PendingRefill(this.supply.deadline());
			this.pending = joined;
		}
		joined.demand(count);
		this.resting = false;
		request();
		return joined;
	}

	/**
	 * Return whether memory holds {@code count} ordinals, after reclaiming those in
	 * stripes.
	 */
	private boolean isInMemory(int count) {
		this.lock.lock();
		try {
			moveOn();
			reclaimIfNeeded(count);
			return this.queue.size() >= count;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void reclaimIfNeeded(int count) {
		if (this.queue.size() >= count) {
			return;
		}
		List<OrdinalRange> reclaimed = this.stripes.reclaim();
		this.queue.addLeftovers(reclaimed);
		if (!reclaimed.isEmpty()) {
			moveOn();
			refillIfNeeded();
		}
	}

	private void moveOn() {
		while (this.queue.advance()) {
			refillIfNeeded();
		}
	}

	/**
	 * Give the calling thread a stripe of its own, if one is free.
	 */
	@Nullable Stripe claim() {
		this.lock.lock();
		try {
			Stripe stripe = this.stripes.claim(Thread.currentThread());
			if (stripe != null) {
				this.sweeping.plan(SWEEP_INTERVAL);
			}
			return stripe;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Remove dead owners of stripes regularly, even if no more reservations take place.
	 */
	private void sweep() {
		this.lock.lock();
		try {
			if (this.stripes.sweep()) {
				this.sweeping.plan(SWEEP_INTERVAL);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Reserve another block if that is due, now that the chunk is visible to other
	 * threads. If the current block has changed meanwhile, the check was made when it
	 * changed.
	 */
	void refillIfHalfway(long start, int count) {
		if (this.queue.current().isHalfway(start, count)) {
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

	private void refillIfNeeded() {
		boolean due = this.queue.isHalfUsed() || this.queue.size() < this.sizing.leastInMemory(remaining());
		if (due && !this.resting && !isExhausted()) {
			request();
		}
	}

	/**
	 * Reserve a block, unless a reservation is under way or the engine has stopped.
	 */
	private void request() {
		if (this.terminal == null) {
			this.worker.request();
		}
	}

	private boolean isExhausted() {
		return this.exhausted != null && !this.exhausted.hasPassed();
	}

	@Override
	public void attempt() {
		long count = nextCount();
		if (count == 0) {
			return;
		}
		Deadline deadline = this.supply.deadline();
		Reservation reservation = this.supply.reserve(count, deadline);
		OrdinalRange range = reservation.range();
		if (range == null) {
			failed(reservation, deadline);
			return;
		}
		try {
			reserved(range, reservation);
		}
		catch (Throwable ex) {
			// what is reserved is in memory; callers that wait must not miss it
			inform(unexpected(ex), deadline);
			throw ex;
		}
		this.supply.noteHistory();
		// after the update of the history, which listeners may read
		this.supply.listeners().inform((listener, name) -> listener.reserved(name, range.size(), reservation.took()));
	}

	/**
	 * Return how many ordinals to ask for, or 0 if the attempt has ended. It ends under
	 * the lock, so that the next caller begins another attempt.
	 */
	private long nextCount() {
		this.lock.lock();
		try {
			if (this.resting) {
				this.worker.ended();
				return 0;
			}
			this.sizing.observe(issued(), this.supply.nanoTime(), this.statistics.lastReservationTook());
			long inMemory = this.queue.size();
			return Math.max(this.supply.next(this.sizing.next(remaining()), inMemory), demand() - inMemory);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return how many ordinals callers wait for.
	 */
	private long demand() {
		return (this.pending != null && !this.pending.deadline().hasPassed()) ? this.pending.demand() : 0;
	}

	private long issued() {
		return this.queue.issued(this.stripes.left());
	}

	private void reserved(OrdinalRange range, Reservation reservation) {
		this.lock.lock();
		try {
			this.worker.ended();
			this.statistics.reserved(reservation.at(), reservation.took());
			// before anything that might fail, because this instance owns the range now
			accept(range);
			if (this.terminal == null) {
				boolean nothingLeft = range.isEmpty() || remaining() == 0;
				if (!nothingLeft) {
					this.backOff.reset();
				}
				// other instances may still give ordinals back, so a later retry may
				// succeed
				this.exhausted = nothingLeft ? this.supply.after(this.backOff.next()) : null;
				complete(null);
				moveOn();
				refillIfNeeded();
				this.stripes.sweep();
			}
			// in case an earlier attempt to schedule it failed
			planRenewal();
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
			this.queue.keep(List.of(range));
		}
		else {
			this.queue.add(range);
		}
	}

	private void failed(Reservation reservation, Deadline deadline) {
		IdGenerationException explained = reservation.explained();
		RuntimeException failure = (explained != null) ? explained : unexpected(reservation.failure());
		boolean wentBackwards = failure instanceof KeySpaceRegressionException;
		long inMemory;
		this.lock.lock();
		try {
			this.worker.ended();
			this.statistics.failed(failure);
			inMemory = this.queue.size();
			if (!wentBackwards) {
				inform(failure, deadline);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (wentBackwards) {
			halt((KeySpaceRegressionException) failure);
		}
		else {
			this.supply.listeners().inform((listener, name) -> listener.failed(name, failure, inMemory));
		}
	}

	private RuntimeException unexpected(@Nullable Throwable reason) {
		return unavailable("reserving a block failed: " + reason, reason);
	}

	/**
	 * Notify callers that the attempt has ended with an unknown outcome. The next caller
	 * tries again if the scheduled retry does not run.
	 */
	@Override
	public void abandoned(Throwable reason) {
		this.lock.lock();
		try {
			RuntimeException failure = unexpected(reason);
			this.statistics.failed(failure);
			inform(failure, null);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notify callers that nothing was reserved, and try again.
	 * @param deadline the deadline of the attempt, {@code null} if it could not begin
	 */
	private void inform(RuntimeException failure, @Nullable Deadline deadline) {
		this.lock.lock();
		try {
			if (this.terminal != null) {
				return;
			}
			// stores report their last failure slightly before the deadline
			Duration rest = this.waitTimeout.dividedBy(10);
			boolean usedUpItsTime = deadline != null && deadline.remaining().compareTo(rest) <= 0;
			if (usedUpItsTime && this.pending != null && this.pending.deadline().remaining().compareTo(rest) > 0) {
				// a caller that joined later still has time left
				this.pending.goOn(failure);
				request();
			}
			else {
				complete(failure);
				// one retry is enough, no matter how many attempts of callers fail
				// meanwhile
				this.retrying.plan(this.backOff::next);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void complete(@Nullable RuntimeException failure) {
		PendingRefill completed = this.pending;
		if (completed != null) {
			// first, so that no more callers join it
			this.pending = null;
			completed.complete(failure);
		}
	}

	private void planRenewal() {
		Duration interval = this.supply.renewalInterval();
		if (interval != null && this.terminal == null) {
			// with jitter: instances that were started together must not renew together
			this.renewing
				.plan(() -> interval.minusNanos(ThreadLocalRandom.current().nextLong(interval.toNanos() / 4 + 1)));
		}
	}

	private void renewClaim() {
		try {
			this.supply.renew();
		}
		finally {
			planRenewal();
		}
	}

	/**
	 * Stop: hand out no more ordinals, and give none back.
	 */
	void halt(KeySpaceRegressionException reason) {
		RuntimeException stopped = this.supply.stopped(reason);
		if (stop(stopped)) {
			this.supply.listeners().inform((listener, name) -> listener.stopped(name, reason));
		}
	}

	private boolean stop(RuntimeException reason) {
		this.lock.lock();
		try {
			boolean wasRunning = this.terminal == null;
			this.halted = true;
			if (wasRunning) {
				this.terminal = reason;
			}
			// nothing is given back either, even if the engine is closing
			dropAll();
			complete(reason);
			return wasRunning;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Take out all ordinals that no caller has taken. The blocks are drained first, so
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
	 * Drop the ordinals in memory without giving them back, because a copy of this
	 * process may use them. The engine reserves no more until a caller needs them; a
	 * waiting caller does.
	 */
	CompletableFuture<?> dropMemory() {
		long dropped = renew();
		if (this.terminal != null) {
			return CompletableFuture.completedFuture(false);
		}
		return CompletableFuture.runAsync(() -> {
			this.supply.dropMemory();
			// drops the range of an attempt that was under way
			renew();
			this.supply.listeners().inform((listener, name) -> listener.memoryDropped(name, dropped));
		}, this.worker::execute);
	}

	/**
	 * Drop all ordinals and close the stripes of callers.
	 * @return how many ordinals were in the queue
	 */
	private long renew() {
		this.lock.lock();
		try {
			long size = this.queue.size();
			if (this.terminal == null) {
				dropAll();
				this.stripes.replace();
				this.resting = demand() == 0;
			}
			return size;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Hand out no more ordinals, and give back unused ones where that is safe. Waits for
	 * the store as long as a caller would.
	 */
	@Override
	public void close() {
		StoreWorker.awaitAll(List.of(beginClose()), this.waitTimeout);
	}

	/**
	 * Begin to close; completes when the store has answered.
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
			if (this.terminal == null) {
				this.terminal = this.supply.closed();
				this.queue.keep(drain());
				complete(this.terminal);
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
	 * Return the ordinals that no caller has taken.
	 */
	List<OrdinalRange> left() {
		this.lock.lock();
		try {
			return this.queue.left();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Read from the store how much of the key space is reserved.
	 */
	CompletableFuture<Boolean> refresh(Deadline deadline) {
		RuntimeException stopped = this.terminal;
		return (stopped != null) ? CompletableFuture.failedFuture(stopped) : this.supply.refresh(deadline);
	}

	/**
	 * Return whether an ordinal has been reserved by any instance. Reads the store unless
	 * the answer is certain.
	 */
	boolean isReserved(long ordinal, Deadline deadline) {
		if (!this.supply.isCertainlyReserved(ordinal)) {
			awaitRead(deadline);
		}
		return this.supply.isReserved(ordinal);
	}

	private void awaitRead(Deadline deadline) {
		RuntimeException stopped = this.terminal;
		if (stopped != null) {
			throw StoreAwait.forCaller(stopped);
		}
		this.supply.awaitRead(deadline);
	}

	BlockEngines.Snapshot snapshot() {
		this.lock.lock();
		try {
			boolean empty = this.queue.size() == 0 && this.stripes.leftToOthers() == 0;
			return new BlockEngines.Snapshot(this.statistics.snapshot(this.sizing.size(), this.queue, this.stripes),
					empty, issued(), this.statistics.storeFailure(this.supply.readFailure()), this.terminal);
		}
		finally {
			this.lock.unlock();
		}
	}

	private KeySpaceExhaustedException exhausted(int count) {
		this.lock.lock();
		try {
			return this.supply.exhausted(count, this.queue.size());
		}
		finally {
			this.lock.unlock();
		}
	}

	private IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return this.supply.unavailable(problem, (cause != null) ? cause : this.statistics.lastFailure());
	}

}
