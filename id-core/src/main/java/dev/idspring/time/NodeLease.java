package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.idspring.ClockException;
import dev.idspring.DurationText;
import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Attempt;
import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.StoreWorker.BackOff;
import dev.idspring.worker.StoreWorker.ScheduledTask;
import org.jspecify.annotations.Nullable;

/**
 * Claims a node, and renews the lease of the node in the background. The number of the
 * node distinguishes the ids of this instance from those of other instances.
 * <p>
 * The thread that opens the generator performs the first claim. Afterwards, only the
 * {@link StoreExecutor} calls the store. Callers that need a new window of reserved times
 * wait for the end of the current attempt to claim or renew, without holding a lock.
 * {@link StoreWorker} explains why callers cannot hang, and {@link NodeClaim} explains
 * why no time is used twice.
 */
final class NodeLease implements NodeAssignment, StoreWorker.Job {

	private static final Duration MAX_BACK_OFF = Duration.ofSeconds(1);

	/**
	 * The default duration of a lease. Instances with longer leases add samples to the
	 * usage history less often, see {@link #samplingFactor()}.
	 */
	private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	private static final Duration CLAIM_RETRY_INTERVAL = Duration.ofSeconds(1);

	private final TimeContext context;

	private final NodeSettings settings;

	private final NodeClaim claim;

	private final StoreWorker worker;

	private final CoalescedRead reads;

	private final ScheduledTask plannedRenewal;

	/**
	 * The event that callers wait for: the end of the current attempt or, if no attempt
	 * is in progress, the end of the next one.
	 */
	private final AtomicReference<OneTimeEvent> attemptEnd = new AtomicReference<>(new OneTimeEvent());

	private volatile @Nullable RuntimeException failure;

	private volatile @Nullable RuntimeException permanentFailure;

	private volatile @Nullable String storeFailure;

	private final AtomicLong failures = new AtomicLong();

	private volatile boolean closed;

	/**
	 * Set by {@link #dropMemory()} and cleared by {@link #resume()}. While this is set,
	 * no attempt claims or renews a node.
	 */
	private volatile boolean dormant;

	/** Used only by the worker. */
	private boolean leaseVerified;

	private volatile Consumer<Deadline> idCounter = (deadline) -> {
	};

	/**
	 * Used only by the worker. This back-off has no jitter, so that simulations of
	 * clusters are reproducible.
	 */
	private final BackOff backOff = new BackOff(MAX_BACK_OFF, (bound) -> 0);

	/** Used only by the thread that schedules the next renewal. */
	private final SplittableRandom random;

	NodeLease(TimeContext context, SlotStore store, NodeSettings settings, StoreExecutor executor) {
		this.context = context;
		this.settings = settings;
		this.claim = new NodeClaim(context, store, settings);
		this.worker = new StoreWorker(executor, this);
		this.reads = new CoalescedRead(executor, this::checkStore);
		this.plannedRenewal = new ScheduledTask(executor, this::renewRegularly);
		this.random = new SplittableRandom(context.renewalSeed());
	}

	/**
	 * Claim a node for the first time. A node with a configured number may still belong
	 * to a killed instance. Therefore, wait until the lease of the node expires, but fail
	 * if another instance renews the lease in the meantime.
	 */
	void open(Deadline deadline) {
		long start = this.context.timeSource().nanoTime();
		Instant renewedAt = null;
		while (true) {
			Deadline attemptDeadline = (renewedAt == null) ? deadline : this.context.deadline();
			StoredSlot slotInUse = claimAndNotify(attemptDeadline);
			if (slotInUse == null) {
				return;
			}
			boolean renewedMeanwhile = renewedAt != null && slotInUse.leasedAt().isAfter(renewedAt);
			Duration waited = Duration.ofNanos(this.context.timeSource().nanoTime() - start);
			if (renewedMeanwhile || waited.compareTo(this.settings.lease().plus(CLAIM_RETRY_INTERVAL)) > 0) {
				throw this.claim.nodeInUse(slotInUse);
			}
			renewedAt = slotInUse.leasedAt();
			Duration left = slotInUse.leaseLeft().plusMillis(1);
			sleep((left.compareTo(CLAIM_RETRY_INTERVAL) < 0) ? left : CLAIM_RETRY_INTERVAL);
		}
	}

	private @Nullable StoredSlot claimAndNotify(Deadline deadline) {
		Attempt attempt = this.context.listeners().reserving();
		try {
			StoredSlot slotInUse = this.claim.claim(deadline);
			end(attempt, (slotInUse != null) ? this.claim.nodeInUse(slotInUse) : null);
			return slotInUse;
		}
		catch (Throwable ex) {
			end(attempt, ex);
			throw ex;
		}
	}

	private static void end(Attempt attempt, @Nullable Throwable failure) {
		attempt.end((failure != null) ? ReservationOutcome.of(failure) : ReservationOutcome.SUCCESS, failure);
	}

	private void sleep(Duration time) {
		try {
			this.context.sleeper().sleep(time);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IdStoreUnavailableException("Interrupted while waiting for node " + this.settings.number()
					+ " of key space '" + this.context.keySpaceName() + "'.", ex);
		}
	}

	/**
	 * Start renewing the lease in the background.
	 * @param idCounter adds the number of generated ids to the counter in the store;
	 * called after renewals and when the generator is closed
	 */
	void start(Consumer<Deadline> idCounter) {
		this.idCounter = idCounter;
		planRenewal();
	}

	private void renewRegularly() {
		try {
			if (!this.closed && this.permanentFailure == null) {
				this.worker.request();
				this.worker.execute(this::count);
			}
		}
		finally {
			planRenewal();
		}
	}

	/**
	 * Schedule the next renewal, unless it is already scheduled. Each attempt to claim or
	 * renew calls this method, so if scheduling fails, the next attempt schedules the
	 * renewal.
	 */
	private void planRenewal() {
		if (!this.closed && this.permanentFailure == null) {
			this.plannedRenewal.schedule(this::renewalInterval);
		}
	}

	/**
	 * Add the number of generated ids to the counter in the store, and verify the length
	 * of the lease once. A failure is only logged, so that it does not prevent the
	 * renewal of the node.
	 */
	private void count() {
		try {
			if (!this.closed && this.failure == null && !this.leaseVerified) {
				this.claim.warnIfLeaseTooShort(this.context.deadline());
				this.leaseVerified = true;
			}
			this.idCounter.accept(this.context.deadline());
		}
		catch (Throwable ex) {
			this.context.listeners().logUnexpected("counting ids or nodes has failed", ex);
		}
	}

	/**
	 * Return a third of the lease, minus up to a tenth of that third. The interval is
	 * random, so that instances that started together do not all renew together.
	 */
	private Duration renewalInterval() {
		long third = this.claim.lease().toMillis() / 3;
		return Duration.ofMillis(third - this.random.nextLong(third / 10 + 1));
	}

	/**
	 * End only the current attempt. The next caller requests another attempt.
	 */
	@Override
	public void abandoned(Throwable reason) {
		endAttempt();
		if (reason instanceof Error error) {
			throw error;
		}
	}

	@Override
	public void attempt() {
		boolean shouldTry = !this.closed && this.permanentFailure == null && !this.dormant;
		RuntimeException failure = shouldTry ? tryAndNotify() : null;
		this.failure = failure;
		planRenewal();
		if (failure == null || this.closed || this.permanentFailure != null) {
			this.backOff.reset();
			this.worker.ended();
		}
		else {
			this.worker.retryAfter(this.backOff.next());
		}
		endAttempt();
	}

	private void endAttempt() {
		OneTimeEvent next = new OneTimeEvent();
		OneTimeEvent ended;
		do {
			ended = Objects.requireNonNull(this.attemptEnd.get());
			// if signal() throws, the next call of this method wakes the callers, because
			// the event is not replaced
			ended.signal();
		}
		while (!this.attemptEnd.compareAndSet(ended, next));
	}

	private @Nullable RuntimeException tryAndNotify() {
		Attempt attempt = this.context.listeners().reserving();
		RuntimeException failure;
		try {
			failure = tryOnce();
		}
		catch (Throwable ex) {
			// for example, there may be too little memory to create the exception for the
			// failure
			failure = storeCallException(ex);
		}
		end(attempt, failure);
		return failure;
	}

	private @Nullable RuntimeException tryOnce() {
		try {
			this.claim.claimOrRenew();
			this.storeFailure = null;
			return null;
		}
		catch (KeySpaceRegressionException ex) {
			stop(ex);
			return ex;
		}
		catch (IdGenerationException ex) {
			recordFailure(ex);
			return ex;
		}
		catch (Throwable ex) {
			IdStoreUnavailableException failure = storeCallException(ex);
			recordFailure(failure);
			return failure;
		}
	}

	private static IdStoreUnavailableException storeCallException(Throwable reason) {
		return new IdStoreUnavailableException("The request to the store failed: " + reason, reason);
	}

	private void stop(KeySpaceRegressionException reason) {
		this.permanentFailure = reason;
		this.storeFailure = null;
		this.claim.stop();
		this.context.listeners().notifyListeners((listener, name) -> listener.stopped(name, reason));
	}

	private void recordFailure(RuntimeException ex) {
		this.failures.incrementAndGet();
		this.storeFailure = (ex instanceof IdStoreUnavailableException) ? ex.getMessage() : null;
		Node node = this.claim.node();
		// with a wrong clock, no ids can be generated
		long left = (node != null && !(ex instanceof ClockException)) ? Math.max(0, node.windowEnd - this.claim.now())
				: 0;
		this.context.listeners()
			.notifyListeners((listener, name) -> listener.windowFailed(name, ex, Duration.ofMillis(left)));
	}

	@Override
	public @Nullable Node node() {
		return this.claim.node();
	}

	@Override
	public @Nullable RuntimeException failure() {
		return this.failure;
	}

	@Override
	public @Nullable RuntimeException permanentFailure() {
		return this.permanentFailure;
	}

	@Override
	public void await(Deadline deadline) throws InterruptedException {
		OneTimeEvent ended = Objects.requireNonNull(this.attemptEnd.get());
		resume();
		this.context.sleeper().await(ended, deadline.remaining());
	}

	@Override
	public CompletableFuture<?> checkStore(Duration timeout) {
		return this.reads.readWithTimeout(Deadline.after(this.context.timeSource(), timeout))
			.handle((answered, failure) -> {
				// keep a known reason, because it is more specific than a timeout
				if (failure instanceof TimeoutException && this.storeFailure == null) {
					this.storeFailure = "The store did not answer within " + DurationText.of(timeout) + ".";
				}
				return true;
			});
	}

	private void checkStore(Deadline deadline) {
		try {
			this.claim.read(deadline);
			this.storeFailure = null;
		}
		catch (IdGenerationException ex) {
			this.storeFailure = ex.getMessage();
		}
	}

	@Override
	public @Nullable String storeFailure() {
		return this.storeFailure;
	}

	@Override
	public long samplingFactor() {
		return Math.max(1, this.claim.lease().dividedBy(DEFAULT_LEASE));
	}

	@Override
	public NodeSnapshot nodeSnapshot() {
		Node node = this.claim.node();
		StoredSlot storedSlot = this.claim.storedSlot();
		String owner = this.claim.ownerId();
		if (node == null || storedSlot == null) {
			return new NodeSnapshot(null, this.settings.source(), owner, null, null, this.claim.lease(), null);
		}
		return new NodeSnapshot(node.number, this.settings.source(), owner, this.context.layout().instant(node.first),
				this.context.layout().instant(node.windowEnd), this.claim.lease(), storedSlot.leaseUntil());
	}

	@Override
	public BlockSnapshot windowSnapshot(long now, long waits, Duration waited) {
		Node node = this.claim.node();
		long tails = this.context.layout().tails();
		long left = (node != null) ? Math.max(0, node.windowEnd - Math.max(now, node.sequence.lastTime() + 1)) : 0;
		RuntimeException failure = this.failure;
		NodeClaim.WindowExtensions extensions = this.claim.windowExtensions();
		long held = (node != null)
				? saturatedIdCount(this.claim.lease().toMillis() + this.context.maxAhead() + 1, tails) : 0;
		return new BlockSnapshot(saturatedIdCount(this.claim.lease().toMillis(), tails), saturatedIdCount(left, tails),
				0, 0, held, extensions.count(), waits, waited, this.failures.get(), extensions.last(),
				extensions.lastDuration(), (failure != null) ? failure.getMessage() : null);
	}

	private static long saturatedIdCount(long milliseconds, long tails) {
		return (milliseconds > Long.MAX_VALUE / tails) ? Long.MAX_VALUE : milliseconds * tails;
	}

	@Override
	public void close() {
		OneTimeEvent released = new OneTimeEvent();
		beginClose().whenComplete((done, failure) -> released.signal());
		try {
			// do not wait longer than this: a lease that is not released expires anyway
			this.context.sleeper().await(released, this.context.waitTimeout());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public CompletableFuture<?> beginClose() {
		if (this.closed) {
			return CompletableFuture.completedFuture(false);
		}
		this.closed = true;
		return this.worker.close(this::releaseAndCount);
	}

	private void releaseAndCount() {
		try {
			this.claim.release(this.context.deadline());
		}
		finally {
			count();
			endAttempt();
		}
	}

	/**
	 * Forget the node without releasing it, because a clone of this process may have the
	 * same node in its memory. The next request for an id, or {@link #resume()}, begins a
	 * new claim.
	 * @return a future that completes when the node is forgotten
	 */
	@Override
	public CompletableFuture<?> dropMemory() {
		this.dormant = true;
		Node node = this.claim.node();
		if (node != null) {
			node.sequence.seal();
		}
		// runs after the attempt that is in progress, if any
		return CompletableFuture.runAsync(this.claim::dropMemory, this.worker::execute);
	}

	/**
	 * Request an attempt to claim a node or to extend its window.
	 */
	void resume() {
		this.dormant = false;
		this.worker.request();
	}

}
