package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

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
import dev.idspring.worker.StoreWorker.ScheduledTask;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Hands out ordinals, the consecutive numbers of the keys of one key space. A
 * {@link BlockRefiller} reserves them in blocks, ahead of use. Callers that find too few
 * ordinals in memory wait for the refiller.
 * <p>
 * Why no ordinal is handed out twice, or before its reservation is durable:
 * <ol>
 * <li>The {@link BlockSource} returns a range of ordinals only after the reservation is
 * durable. It reserves an ordinal again only if the ordinal was given back. Only the
 * refiller adds a reserved range to the {@link BlockQueue}.</li>
 * <li>Callers take ordinals from the current block by advancing its cursor atomically.
 * They take single ordinals, or chunks for the {@link Stripes}, which avoid contention
 * between threads and hand out each ordinal at most once. A block becomes current only
 * once, under the lock. The new current block is the next one in the queue, or the rest
 * of a block that {@link BlockQueue#gather} drained. Ordinals reclaimed from stripes form
 * new blocks.</li>
 * <li>When the source detects that the store returned to an earlier state, such as a
 * restored backup, the refiller {@linkplain BlockRefiller#halt halts}: it drains all
 * blocks and shuts the stripes under the lock. From then on, a caller finds no ordinal,
 * takes the lock, and gets an exception.</li>
 * <li>{@linkplain BlockRefiller#beginClose Closing} sets the exception that callers get,
 * drains all blocks and then shuts the stripes, all under the lock. So no caller can take
 * an ordinal that is given back. Each ordinal is given back at most once, because only
 * the first call that closes the refiller gives ordinals back.</li>
 * </ol>
 * The {@link #lock} protects the state that both callers and the refiller change. It is
 * released even if an error is thrown. {@link StoreWorker} explains why no caller waits
 * forever.
 */
final class BlockEngine {

	private static final Supplier<Duration> SWEEP_INTERVAL = () -> Duration.ofMinutes(1);

	private final BlockRefiller refiller;

	private final BlockSupply supply;

	private final ReservationStatistics statistics;

	private final BlockSource source;

	private final Reservations reservations;

	private final TimeSource timeSource;

	private final ScheduledTask stripeSweep;

	private final Stripes stripes;

	private final BlockQueue queue;

	private final StateLock lock;

	BlockEngine(String generator, ReservedKeySpace opened, BlockSource source, BlockSettings settings,
			TimeSource timeSource, StoreExecutor executor, Listeners listeners, Stripes stripes) {
		this.source = source;
		this.reservations = opened.reservations();
		this.timeSource = timeSource;
		this.stripes = stripes;
		this.stripeSweep = new ScheduledTask(executor, this::sweep);
		this.refiller = new BlockRefiller(generator, opened, source, settings, timeSource, executor, listeners,
				stripes);
		this.supply = this.refiller.supply();
		this.statistics = this.refiller.statistics();
		this.queue = this.refiller.queue();
		this.lock = this.refiller.lock();
	}

	Stripes stripes() {
		return this.stripes;
	}

	void start() {
		this.refiller.start();
	}

	void halt(KeySpaceRegressionException reason) {
		this.refiller.halt(reason);
	}

	CompletableFuture<?> dropMemory() {
		return this.refiller.dropMemory();
	}

	CompletableFuture<Boolean> beginClose() {
		return this.refiller.beginClose();
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

	void verifyRunning() {
		this.refiller.verifyRunning();
	}

	boolean isStarved() {
		return this.refiller.isStarved();
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
			this.refiller.refillIfNeeded();
		}
		return ordinal;
	}

	/**
	 * Take several ordinals, waiting for the store if too few are in memory.
	 * @param count how many ordinals to take, at least 1
	 * @param callersDeadline the deadline of the caller, or {@code null} if the caller
	 * has not waited yet
	 * @return ranges that together contain {@code count} ordinals; no range crosses a
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
	 * Take several ordinals without waiting, or none if fewer are in memory.
	 * @return the ranges; empty if none are taken
	 */
	List<OrdinalRange> takeFromMemory(int count) {
		Block block = this.queue.current();
		long start = block.take(count);
		if (start != Block.NONE) {
			if (block.becomesHalfUsed(start, count)) {
				this.refiller.refillIfNeeded();
			}
			return List.of(new OrdinalRange(start, start + count));
		}
		this.lock.lock();
		try {
			List<OrdinalRange> ranges = this.queue.gather(count);
			if (!ranges.isEmpty()) {
				this.refiller.refillIfNeeded();
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
		this.statistics.countShortage();
	}

	private boolean exceedsAvailable(int count) {
		this.lock.lock();
		try {
			long remaining = remaining();
			return !hasEnoughAfterReclaim(count) && this.refiller.terminalFailure() == null && remaining > 0
					&& count - this.queue.size() > remaining;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until taking {@code count} ordinals may succeed. This method returns at once
	 * if enough are in memory.
	 * @param callersDeadline the deadline from the first wait of the caller, or
	 * {@code null} if the caller has not waited yet
	 * @return the deadline for further waits of the caller, or {@code null} if the caller
	 * has not had to wait yet
	 */
	@Nullable Deadline awaitRefill(int count, @Nullable Deadline callersDeadline) {
		long started = this.timeSource.nanoTime();
		PendingRefill refill = joinIfNeeded(count, callersDeadline);
		if (refill == null) {
			return callersDeadline;
		}
		Deadline deadline = (callersDeadline != null) ? callersDeadline : refill.deadline();
		try {
			refill.await(deadline, this.refiller::unavailable);
		}
		catch (IdStoreUnavailableException ex) {
			// during the wait, another thread may have added a shared chunk, and its
			// ordinals can be reclaimed
			if (!hasEnoughAfterReclaim(count)) {
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
			this.refiller.verifyRunning();
			if (hasEnoughAfterReclaim(count)) {
				return null;
			}
			if (this.refiller.isExhausted()) {
				throw this.supply.exhaustedException(count, this.queue.size());
			}
			if (callersDeadline == null) {
				this.statistics.countShortage();
			}
			else if (callersDeadline.hasPassed()) {
				throw this.refiller.unavailable(
						"the store granted less than this call needs, or other callers consumed the reserved block",
						null);
			}
			return this.refiller.join(count);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return whether blocks contain at least {@code count} ordinals. If they contain
	 * fewer, reclaim unused ordinals from stripes first.
	 */
	private boolean hasEnoughAfterReclaim(int count) {
		this.lock.lock();
		try {
			this.refiller.advanceToNextBlock();
			if (this.queue.size() < count) {
				List<OrdinalRange> reclaimed = this.stripes.reclaim();
				if (!reclaimed.isEmpty()) {
					this.queue.addLeftovers(reclaimed);
					this.refiller.advanceToNextBlock();
					this.refiller.refillIfNeeded();
				}
			}
			return this.queue.size() >= count;
		}
		finally {
			this.lock.unlock();
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
	 * Remove dead threads as owners of stripes. Each reservation does the same, but the
	 * next reservation may be a long time away.
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
	 * count as issued. If another block has become current in the meantime, that change
	 * has already triggered {@link BlockRefiller#refillIfNeeded}.
	 */
	void refillIfHalfway(long start, int count) {
		if (this.queue.current().becomesHalfUsed(start, count)) {
			this.refiller.refillIfNeeded();
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
		RuntimeException stopped = this.refiller.terminalFailure();
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

	private void awaitRead(Deadline deadline) {
		this.refiller.verifyRunning();
		this.supply.awaitRead(deadline);
	}

	BlockEngines.Snapshot snapshot() {
		return this.refiller.snapshot();
	}

}
