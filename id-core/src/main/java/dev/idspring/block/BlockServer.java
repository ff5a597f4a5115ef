package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StateGuard;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Hands out ordinals of one key space, from blocks that are reserved ahead of use.
 * <p>
 * Why no ordinal leaves twice, or before its reservation is durable:
 * <ol>
 * <li>The source returns a range only once it is durable, and never returns an ordinal
 * twice ({@link BlockSource}). A range enters the {@link BlockQueue} in {@link #accept}
 * and nowhere else.</li>
 * <li>Callers take ordinals from the current block, by atomic moves of its cursor, one by
 * one or as chunks for their {@link Stripes}, from which no ordinal leaves twice. A block
 * becomes the current one under the guard, and only once: as the next one, or as what is
 * left of a drained one whose other part went to one bulk caller. What is reclaimed from
 * stripes is a block of its own.</li>
 * <li>When the source finds that the store went backwards, all blocks are drained and the
 * stripes shut before any caller is served again, and the server stops.</li>
 * <li>Closing sets {@link #terminal}, then drains all blocks and shuts the stripes, all
 * under the guard; so what is given back can no longer be taken. It is given back at most
 * once.</li>
 * </ol>
 * Why nothing hangs: see {@link StoreWorker}. State that callers and the worker both
 * change is guarded by {@link #guard}, which an error leaves open, whatever it
 * interrupts. Callers that find nothing in memory join one {@link PendingRefill} with one
 * deadline, and keep that deadline when the first refill does not serve them; so a store
 * that never answers costs each of them that time once.
 */
final class BlockServer implements AutoCloseable {

	final ServerContext context;

	final BlockQueue queue;

	final BlockReserver reserver;

	/** Hands out keys rather than ordinals. */
	final StripedKeys keys;

	final StateGuard guard = new StateGuard();

	/** Made beforehand, so that callers need no stack for that. */
	private final Runnable refilling = this::refillIfNeeded;

	private final StoreAwait.Failure unavailable = this::unavailable;

	// From here on everything is guarded.

	private @Nullable PendingRefill pending;

	private boolean closed;

	private boolean halted;

	private volatile @Nullable RuntimeException terminal;

	BlockServer(String generator, ReservedKeySpace opened, BlockSource source, BlockSettings settings,
			TimeSource timeSource, StoreExecutor executor, Listeners listeners, Stripes stripes) {
		this.context = new ServerContext(generator, opened, source, settings, timeSource, listeners);
		this.queue = new BlockQueue(opened.keySpace(), stripes);
		this.reserver = new BlockReserver(this, executor);
		this.keys = new StripedKeys(this);
		rehearse();
	}

	/**
	 * Call what callers of ids call, while there is nothing to take. The JVM links a call
	 * when it is first made, and JDK 25 never tries again when a stack overflows
	 * meanwhile.
	 */
	private void rehearse() {
		awaitRefill(0, null);
		isMoreThanThereIs(1);
		gather(0);
	}

	Duration waitTimeout() {
		return this.context.settings().waitTimeout();
	}

	void start() {
		refill();
		this.reserver.planRenewal();
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
	 * @return ranges that together hold as many ordinals; none crosses a boundary of the
	 * key space
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
		return this.guard.call(() -> {
			List<OrdinalRange> ranges = this.queue.gather(count);
			if (!ranges.isEmpty()) {
				refillIfNeeded();
			}
			return ranges;
		});
	}

	/**
	 * Refuse a bulk call that must fail, before it takes everything away from the others.
	 * Reads the store first, where something may have been given back.
	 */
	private void failIfInsufficient(int count) {
		this.reserver.awaitRead(this.context.deadline());
		if (isMoreThanThereIs(count)) {
			throw this.guard.call(() -> exhaustedException(count));
		}
	}

	private boolean isMoreThanThereIs(int count) {
		return this.guard.call(() -> {
			reclaimIfNeeded(count);
			long remaining = this.reserver.remaining();
			return this.terminal == null && remaining > 0 && count - this.queue.size() > remaining;
		});
	}

	/**
	 * Return once it is worth trying again to take as many ordinals.
	 * @param callersDeadline until when the caller waits, {@code null} if it has not
	 * waited yet
	 * @return until when the caller waits, {@code null} if it has not waited yet
	 */
	@Nullable Deadline awaitRefill(int count, @Nullable Deadline callersDeadline) {
		long started = this.context.timeSource().nanoTime();
		PendingRefill joined = this.guard.call(() -> joinIfNeeded(count, callersDeadline));
		if (joined == null) {
			return callersDeadline;
		}
		Deadline deadline = (callersDeadline != null) ? callersDeadline : joined.deadline;
		try {
			joined.await(deadline, this.unavailable);
			return deadline;
		}
		catch (IdStoreUnavailableException ex) {
			// a thread that was in a shared stripe may have left it meanwhile
			if (!isInMemory(count)) {
				throw ex;
			}
			return deadline;
		}
		finally {
			this.reserver.statistics.waited.add(this.context.timeSource().nanoTime() - started);
		}
	}

	private @Nullable PendingRefill joinIfNeeded(int count, @Nullable Deadline callersDeadline) {
		if (this.terminal != null) {
			throw StoreAwait.forCaller(this.terminal);
		}
		if (isInMemory(count)) {
			return null;
		}
		if (this.reserver.isExhausted()) {
			throw exhaustedException(count);
		}
		if (callersDeadline == null) {
			this.reserver.statistics.exhaustions++;
		}
		else if (callersDeadline.hasPassed()) {
			throw unavailable(
					"the store granted less than this call needs, or other callers consumed the reserved block", null);
		}
		PendingRefill joined = this.pending;
		if (joined == null || joined.deadline.hasPassed()) {
			joined = new PendingRefill(this.context.deadline());
			this.pending = joined;
		}
		joined.demand += count;
		this.reserver.wake();
		return joined;
	}

	/**
	 * Return whether as many ordinals are in memory, once what is left in stripes is
	 * taken back.
	 */
	private boolean isInMemory(int count) {
		return this.guard.call(() -> {
			moveOn();
			reclaimIfNeeded(count);
			return this.queue.size() >= count;
		});
	}

	private void reclaimIfNeeded(int count) {
		if (this.queue.size() < count && this.queue.reclaim()) {
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
	 * Reserve another block if that is due. Not guarded.
	 */
	void refill() {
		this.guard.run(this.refilling);
	}

	private void refillIfNeeded() {
		boolean due = this.queue.isHalfUsed() || this.queue.size() < this.reserver.leastInMemory();
		if (due && this.reserver.mayRefill()) {
			this.reserver.request();
		}
	}

	/**
	 * Return how many ordinals callers wait for.
	 */
	long demand() {
		return (this.pending != null && !this.pending.deadline.hasPassed()) ? this.pending.demand : 0;
	}

	/**
	 * Keep what was reserved.
	 * @return whether callers are served
	 */
	boolean accept(OrdinalRange range) {
		if (this.halted) {
			this.queue.addDropped(range);
		}
		else if (this.closed) {
			this.queue.addUnused(range);
		}
		else {
			this.queue.add(range);
		}
		return this.terminal == null;
	}

	/**
	 * Serve the callers that wait.
	 */
	void serve() {
		complete(null);
		moveOn();
		refillIfNeeded();
		this.queue.stripes.sweep();
	}

	/**
	 * Let callers know that nothing was reserved, and try again.
	 * @param deadline how long the attempt might take, {@code null} if it could not begin
	 */
	void failed(RuntimeException failure, @Nullable Deadline deadline) {
		if (this.terminal != null) {
			return;
		}
		// stores report their last failure a little before the end
		Duration rest = waitTimeout().dividedBy(10);
		boolean usedUpItsTime = deadline != null && deadline.remaining().compareTo(rest) <= 0;
		if (usedUpItsTime && this.pending != null && this.pending.deadline.remaining().compareTo(rest) > 0) {
			// a caller that came later still has some
			this.pending.goOn(failure);
			this.reserver.request();
		}
		else {
			complete(failure);
			this.reserver.retryLater();
		}
	}

	private void complete(@Nullable RuntimeException failure) {
		PendingRefill completed = this.pending;
		if (completed != null) {
			// first, so that no caller joins it any more
			this.pending = null;
			completed.complete(failure);
		}
	}

	/**
	 * Stop: hand out nothing more, give nothing back.
	 */
	void halt(KeySpaceRegressionException reason) {
		List<String> warnings = this.context.opened().storeWarnings();
		String other = warnings.isEmpty() ? ""
				: " If there was none of that, the reason may be what the store has warned" + " of: "
						+ String.join("; ", warnings);
		RuntimeException stopped = new KeySpaceRegressionException(
				"Id generator '" + this.context.generator() + "' has stopped: " + reason.getMessage() + other, reason);
		if (this.guard.call(() -> stop(stopped))) {
			this.context.listeners().tell((listener, name) -> listener.stopped(name, reason));
		}
	}

	private boolean stop(RuntimeException reason) {
		boolean wasRunning = this.terminal == null;
		this.halted = true;
		if (wasRunning) {
			this.terminal = reason;
		}
		// nor is anything given back, should this come to light while closing
		this.queue.drop();
		complete(reason);
		return wasRunning;
	}

	/**
	 * Return why the server has stopped, {@code null} if it has not. Not guarded.
	 */
	@Nullable RuntimeException terminal() {
		return this.terminal;
	}

	/**
	 * Drop what is in memory, without giving it back: a copy of this process may use it.
	 * Nothing is reserved until a caller needs it; one that waits already does.
	 */
	CompletableFuture<?> dropMemory() {
		long dropped = this.guard.call(() -> {
			long size = this.queue.size();
			renew();
			return size;
		});
		return (this.terminal != null) ? CompletableFuture.completedFuture(false) : this.reserver.dropMemory(dropped);
	}

	/**
	 * Drop what is in memory.
	 */
	void renew() {
		if (this.terminal == null) {
			this.queue.renew();
			this.reserver.rest();
		}
	}

	/**
	 * Hand out nothing more, and give back what is unused, where that is safe. Waits for
	 * the store as long as a caller would.
	 */
	@Override
	public void close() {
		StoreWorker.awaitAll(List.of(beginClose()), waitTimeout());
	}

	/**
	 * Begin to close; completes when the store has answered.
	 */
	CompletableFuture<Boolean> beginClose() {
		return this.guard.call(this::stopServing) ? this.reserver.close() : CompletableFuture.completedFuture(false);
	}

	private boolean stopServing() {
		if (this.closed) {
			return false;
		}
		this.closed = true;
		if (this.terminal == null) {
			this.terminal = new StoreAwait.ClosedException(this.context.generator());
			this.queue.close();
			complete(this.terminal);
		}
		return true;
	}

	BlockServers.Snapshot snapshot() {
		return this.guard.call(() -> {
			ReservationStatistics statistics = this.reserver.statistics;
			boolean empty = this.queue.size() == 0 && this.queue.stripes.leftToOthers() == 0;
			return new BlockServers.Snapshot(statistics.snapshot(this.reserver.sizing.size(), this.queue), empty,
					this.queue.issued(), statistics.storeFailure(), this.terminal);
		});
	}

	/**
	 * Return the exception for callers when the store gave nothing. Not guarded.
	 */
	IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException(
				"Id generator '" + this.context.generator() + "' has no id in memory and " + problem
						+ ". Check the store of key space '" + this.context.opened().name()
						+ "'; the generator recovers by itself as soon as the store answers. "
						+ "Consider ids.block.outage-reserve to live through outages.",
				(cause != null) ? cause : this.reserver.statistics.lastFailure);
	}

	private KeySpaceExhaustedException exhaustedException(int count) {
		ReservedKeySpace opened = this.context.opened();
		return new KeySpaceExhaustedException("Id generator '" + this.context.generator() + "' was asked for " + count
				+ " more: of the " + opened.keySpace().capacity() + " keys of key space '" + opened.name() + "', "
				+ this.reserver.remaining() + " are not reserved, and this instance holds " + this.queue.size()
				+ " unused. " + RecoveryInstructions.raiseBound(this.context.generator(), opened.keySpace()));
	}

}
