package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.Reservations;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreWorker.BackOff;
import dev.idspring.worker.StoreWorker.Planned;
import dev.idspring.worker.StoreWorker;
import org.jspecify.annotations.Nullable;

/**
 * Reserves blocks for a server: everything that talks to the store, one task after the
 * other on its {@link StoreWorker}. What is not final is guarded by the guard of the
 * server.
 */
final class BlockReserver implements StoreWorker.Job {

	private static final Duration LAST_BACK_OFF = Duration.ofSeconds(30);

	private final BlockServer server;

	private final ServerContext context;

	private final BlockSource source;

	private final Reservations reservations;

	private final BlockQueue queue;

	final StoreWorker worker;

	private final CoalescedRead reads;

	private final Planned retrying;

	private final Planned renewing;

	final BlockSizing sizing;

	final ReservationStatistics statistics = new ReservationStatistics();

	private final BackOff backOff = new BackOff(LAST_BACK_OFF, (bound) -> ThreadLocalRandom.current().nextLong(bound));

	/** Made beforehand, so that callers need no stack for that. */
	private final Supplier<Duration> retryDelay = this.backOff::next;

	/** Whether memory was dropped, and no caller waited then or has since. */
	private boolean resting;

	/** Until when nothing more is asked of an exhausted key space. */
	private @Nullable Deadline exhausted;

	BlockReserver(BlockServer server, StoreExecutor executor) {
		this.server = server;
		this.context = server.context;
		this.source = this.context.source();
		this.reservations = this.context.opened().reservations();
		this.queue = server.queue;
		this.worker = new StoreWorker(executor, this);
		this.reads = new CoalescedRead(executor, this::read);
		this.retrying = this.worker.planned(server::refill);
		this.renewing = this.worker.planned(this::renew);
		this.sizing = new BlockSizing(this.context.settings(), this.context.timeSource().nanoTime());
	}

	/**
	 * Reserve a block, unless that is under way or the server has stopped.
	 */
	void request() {
		if (this.server.terminal() == null) {
			this.worker.request();
		}
	}

	/**
	 * Reserve nothing until a caller waits, unless one waits already.
	 */
	void rest() {
		this.resting = this.server.demand() == 0;
	}

	/**
	 * Reserve a block for a caller that waits.
	 */
	void wake() {
		this.resting = false;
		request();
	}

	/**
	 * Return whether a block may be reserved ahead of use.
	 */
	boolean mayRefill() {
		return !this.resting && !isExhausted();
	}

	/**
	 * Return how many ordinals must be in memory for callers not to wait.
	 */
	long leastInMemory() {
		return this.sizing.leastInMemory(this.source.remaining());
	}

	/**
	 * Return how many ordinals are left to reserve. Not guarded.
	 */
	long remaining() {
		return this.source.remaining();
	}

	/**
	 * Return whether the key space is known to be exhausted.
	 */
	boolean isExhausted() {
		return this.exhausted != null && !this.exhausted.hasPassed();
	}

	@Override
	public void attempt() {
		long count = this.server.guard.call(this::nextCount);
		if (count == 0) {
			return;
		}
		long started = this.context.timeSource().nanoTime();
		Deadline deadline = this.context.deadline();
		try {
			OrdinalRange range = reserve(count, deadline);
			Duration took = this.server.guard.call(() -> reserved(range, started));
			noteHistory();
			// listeners may want to know what the history says
			this.context.listeners().tell((listener, name) -> listener.reserved(name, range.size(), took));
		}
		catch (IdGenerationException ex) {
			failed(ex, deadline);
		}
		catch (Throwable ex) {
			// whatever a store throws, also an Error, must not leave callers waiting
			failed(unexpected(ex), deadline);
		}
	}

	/**
	 * Return how many ordinals to ask for, or 0 to end the attempt. It ends under the
	 * guard, so that a caller that comes now begins another one.
	 */
	private long nextCount() {
		if (this.resting) {
			this.worker.ended();
			return 0;
		}
		this.sizing.observe(this.queue.issued(), this.context.timeSource().nanoTime(),
				this.statistics.lastReservationTook);
		long inMemory = this.queue.size();
		long size = this.sizing.next(this.source.remaining());
		return Math.max(this.source.next(size, inMemory), this.server.demand() - inMemory);
	}

	/**
	 * Ask the source, observed.
	 */
	private OrdinalRange reserve(long count, Deadline deadline) {
		IdGeneratorListener.Attempt attempt = this.context.listeners().reserving();
		try {
			OrdinalRange range = this.source.reserve(count, deadline);
			attempt.end(range.isEmpty() ? ReservationOutcome.EXHAUSTED : ReservationOutcome.SUCCESS, null);
			return range;
		}
		catch (Throwable ex) {
			attempt.end(ReservationOutcome.of(ex), ex);
			throw ex;
		}
	}

	private Duration reserved(OrdinalRange range, long started) {
		this.worker.ended();
		this.statistics.lastFailure = null;
		// before anything that might go wrong, as the range is ours now
		if (this.server.accept(range)) {
			boolean nothingLeft = range.isEmpty() || this.source.remaining() == 0;
			if (!nothingLeft) {
				this.backOff.reset();
			}
			// others may still give something back, so it is worth asking again later
			this.exhausted = nothingLeft ? Deadline.after(this.context.timeSource(), this.backOff.next()) : null;
			this.server.serve();
		}
		Duration took = Duration.ofNanos(this.context.timeSource().nanoTime() - started);
		this.statistics.reserved(this.context.timeSource().instant(), took);
		// should it have been impossible before
		planRenewal();
		return took;
	}

	private void noteHistory() {
		ReservationForecast forecast = this.context.opened().forecast();
		forecast.observe(this.reservations.reserved());
		if (!forecast.isNoteDue()) {
			return;
		}
		Deadline deadline = this.context.deadline();
		try {
			// others have reserved as well
			this.reservations.refresh(deadline);
			forecast.note(this.reservations.reserved(), deadline);
		}
		catch (Throwable ex) {
			// callers have been served
			haltIfRegression(ex);
			this.context.listeners().unexpected("reading the history has failed", ex);
		}
	}

	private void failed(RuntimeException ex, Deadline deadline) {
		if (ex instanceof KeySpaceRegressionException regression) {
			this.server.guard.run(() -> countFailure(ex));
			this.server.halt(regression);
			return;
		}
		long inMemory = this.server.guard.call(() -> {
			countFailure(ex);
			this.server.failed(ex, deadline);
			return this.queue.size();
		});
		this.context.listeners().tell((listener, name) -> listener.failed(name, ex, inMemory));
	}

	private RuntimeException unexpected(Throwable reason) {
		return this.server.unavailable("reserving a block failed: " + reason, reason);
	}

	private void countFailure(RuntimeException ex) {
		this.worker.ended();
		this.statistics.failed(ex);
	}

	/**
	 * Let callers know that no attempt is under way any more, and that the outcome is
	 * unknown. The next caller tries again, if the retry does not.
	 */
	@Override
	public void abandoned(Throwable reason) {
		this.server.guard.run(() -> {
			RuntimeException failure = unexpected(reason);
			this.statistics.failed(failure);
			this.server.failed(failure, null);
		});
	}

	/**
	 * Try again after a while. One retry is enough, however many callers make the store
	 * fail meanwhile.
	 */
	void retryLater() {
		this.retrying.plan(this.retryDelay);
	}

	void planRenewal() {
		Duration interval = this.source.renewalInterval();
		if (interval != null && this.server.terminal() == null) {
			// with jitter: instances that were started together must not renew together
			this.renewing
				.plan(() -> interval.minusNanos(ThreadLocalRandom.current().nextLong(interval.toNanos() / 4 + 1)));
		}
	}

	private void renew() {
		try {
			this.source.renew(this.context.deadline());
			this.statistics.readFailure = null;
		}
		catch (Throwable ex) {
			// nothing is lost yet: should another instance take over, this one finds out
			this.statistics.readFailure = ex;
			haltIfRegression(ex);
			this.context.listeners().unexpected("renewing a lease has failed", ex);
		}
		finally {
			planRenewal();
		}
	}

	private void read(Deadline deadline) {
		try {
			this.reservations.refresh(deadline);
			this.context.opened().forecast().look(this.reservations.reserved(), deadline);
		}
		catch (Throwable ex) {
			haltIfRegression(ex);
			this.context.listeners().unexpected("reading the store has failed", ex);
			throw ex;
		}
	}

	private void haltIfRegression(Throwable failure) {
		if (failure instanceof KeySpaceRegressionException regression) {
			this.server.halt(regression);
		}
	}

	/**
	 * Read the store for those who watch it.
	 */
	CompletableFuture<Boolean> refresh(Deadline deadline) {
		return read(this.reads::ask, deadline);
	}

	/**
	 * Read the store, and wait for that.
	 */
	void awaitRead(Deadline deadline) {
		StoreAwait.on(read(this.reads::begin, deadline), deadline, (problem, cause) -> new IdStoreUnavailableException(
				"Id generator '" + this.context.generator() + "' cannot tell what is reserved: " + problem + ".",
				cause));
	}

	private CompletableFuture<Boolean> read(Function<Deadline, CompletableFuture<Boolean>> reads, Deadline deadline) {
		RuntimeException stopped = this.server.terminal();
		if (stopped != null) {
			return CompletableFuture.failedFuture(stopped);
		}
		CompletableFuture<Boolean> read = reads.apply(deadline);
		// completes after its failure was noted
		CompletableFuture<Boolean> noted = read.whenComplete((done, failure) -> {
			if (!(failure instanceof CancellationException)) {
				this.statistics.readFailure = failure;
			}
		});
		noted.whenComplete((done, failure) -> read.cancel(false));
		return noted;
	}

	/**
	 * Return whether an ordinal has been reserved by any instance. Asks the store unless
	 * the answer is beyond doubt.
	 */
	boolean isReserved(long ordinal, Deadline deadline) {
		if (!this.reservations.isCertainlyReserved(ordinal)) {
			awaitRead(deadline);
		}
		return this.reservations.isReserved(ordinal);
	}

	/**
	 * Forget what was reserved, also by an attempt that is under way.
	 * @param dropped how many ids were in memory
	 */
	CompletableFuture<?> dropMemory(long dropped) {
		return CompletableFuture.runAsync(() -> {
			this.source.dropMemory();
			this.server.guard.run(this.server::renew);
			this.context.listeners().tell((listener, name) -> listener.memoryDropped(name, dropped));
		}, this.worker::execute);
	}

	/**
	 * Give back what is unused, and end.
	 */
	CompletableFuture<Boolean> close() {
		return this.worker.close(this::giveBack);
	}

	private void giveBack() {
		List<OrdinalRange> unused = this.server.guard.call(this.queue::unused);
		long free = 0;
		try {
			free = this.source.giveBack(unused, this.context.deadline());
		}
		catch (RuntimeException ex) {
			this.context.listeners().tell((listener, name) -> listener.failed(name, ex, 0));
		}
		finally {
			long givenBack = free;
			long abandoned = BlockQueue.size(unused) - givenBack;
			this.context.listeners().tell((listener, name) -> listener.closed(name, givenBack, abandoned));
		}
	}

}
