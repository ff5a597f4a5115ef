package dev.idspring.block;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.ArithmeticRun;
import dev.idspring.monitor.BlockSnapshot;
import dev.idspring.monitor.Listeners;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ReservationOutcome;
import dev.idspring.store.OrdinalRange;
import dev.idspring.worker.BackOff;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.Planned;
import dev.idspring.worker.StateGuard;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Hands out ordinals of one key space, from blocks that are reserved ahead of use.
 * <p>
 * Why no ordinal leaves twice, or before its reservation is durable:
 * <ol>
 * <li>The source returns a range only once it is durable, and never the same ordinal to
 * anybody twice ({@link BlockSource}). A range becomes {@link Block}s in {@link #accept}
 * and nowhere else.</li>
 * <li>Callers take ordinals from {@link #current}, by atomic moves of its cursor, one by
 * one or as chunks for their {@link Stripes}, which see to it that no ordinal leaves them
 * twice. A block gets there under the guard, and only once: from {@link #ahead}, or as
 * what is left of a drained one whose other part went to one bulk caller. What is
 * reclaimed from stripes is a block of its own.</li>
 * <li>When the source finds that the store went backwards, all blocks are drained and the
 * stripes shut before anybody is served again, and the server stops for good.</li>
 * <li>Closing sets {@link #terminal}, then drains all blocks and shuts the stripes, all
 * under the guard; so what is given back can no longer be taken. It is given back at most
 * once.</li>
 * </ol>
 * Why nothing hangs: see {@link StoreWorker}. State that callers and the worker both
 * change is guarded by {@link #guard}, which an error leaves open, whatever it
 * interrupts. A section that overflows the stack of a caller loses ordinals at worst:
 * what is taken out of a block has left it before it is kept anywhere else. Callers that
 * find nothing in memory join one {@link PendingRefill} with one deadline, and keep that
 * deadline when the first supply does not serve them; so a store that never answers costs
 * each of them that time once.
 */
final class BlockServer implements AutoCloseable {

	private static final Duration LAST_BACK_OFF = Duration.ofSeconds(30);

	private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

	private final String generator;

	private final String keySpaceName;

	private final KeySpace keySpace;

	private final Reservations reservations;

	private final ReservationForecast forecast;

	private final BlockSource source;

	private final BlockSettings settings;

	private final TimeSource timeSource;

	private final Listeners listeners;

	private final StoreWorker worker;

	private final Planned sweeping;

	private final Planned retrying;

	private final Planned renewing;

	private final Stripes stripes;

	private final Consumer<Stripe> filler = this::fill;

	/** How long callers have waited, in nanoseconds. */
	private final LongAdder waited = new LongAdder();

	private final StateGuard guard = new StateGuard();

	/** Made beforehand, so that callers need no stack for that. */
	private final Runnable refilling = this::refillIfNeeded;

	private volatile Block current = Block.usedUp();

	// From here on everything is guarded.

	/**
	 * Replaced as a whole, by one store: a collection that is changed in place may be
	 * left unusable when the stack of a caller overflows.
	 */
	private List<Block> ahead = List.of();

	private final List<OrdinalRange> unused = new ArrayList<>();

	private final BlockSizing sizing;

	private @Nullable PendingRefill round;

	private boolean closed;

	private boolean halted;

	private volatile @Nullable RuntimeException terminal;

	/** How many ordinals were ever confirmed to this instance. */
	private long confirmed;

	/** How many ordinals were confirmed and will be neither handed out nor given back. */
	private long dropped;

	/** How many ordinals were handed out, as was said last. */
	private long issued;

	/** Until when nothing more is asked of a used-up key space. */
	private @Nullable Deadline exhausted;

	private final BackOff backOff = new BackOff(LAST_BACK_OFF, (bound) -> ThreadLocalRandom.current().nextLong(bound));

	private long reservationsMade;

	private long exhaustions;

	private long failures;

	private @Nullable Instant lastReservedAt;

	private @Nullable Duration lastReservationTook;

	private volatile @Nullable RuntimeException lastFailure;

	/** Why the last look at the store failed, or the last renewal. */
	private volatile @Nullable Throwable readFailure;

	BlockServer(String generator, ReservedKeySpace opened, BlockSource source, BlockSettings settings,
			TimeSource timeSource, StoreExecutor supply, Listeners listeners) {
		this(generator, opened, source, settings, timeSource, supply, listeners, Stripes.of(opened.keySpace()));
	}

	BlockServer(String generator, ReservedKeySpace opened, BlockSource source, BlockSettings settings,
			TimeSource timeSource, StoreExecutor supply, Listeners listeners, Stripes stripes) {
		this.generator = generator;
		this.keySpaceName = opened.name();
		this.keySpace = opened.keySpace();
		this.reservations = opened.reservations();
		this.forecast = opened.forecast();
		this.source = source;
		this.settings = settings;
		this.timeSource = timeSource;
		this.listeners = listeners;
		this.worker = new StoreWorker(supply, new Reserving(), this::look);
		this.sweeping = this.worker.planned(this::sweep);
		this.retrying = this.worker.planned(this::refill);
		this.renewing = this.worker.planned(this::renew);
		this.stripes = stripes;
		this.sizing = new BlockSizing(settings, timeSource.nanoTime());
	}

	/**
	 * Return how long the store may take.
	 */
	Duration waitTimeout() {
		return this.settings.waitTimeout();
	}

	/**
	 * Reserve the first block in the background.
	 */
	void start() {
		refill();
		planRenewal();
	}

	/**
	 * Return the stripes of this server, from which callers take as long as they can.
	 */
	Stripes stripes() {
		return this.stripes;
	}

	/**
	 * Take the next key, when the stripe of the calling thread has none.
	 */
	long takeKey() {
		if (!this.stripes.areUseful()) {
			return this.keySpace.key(take());
		}
		Deadline deadline = null;
		long key = takeKeyFromMemory();
		while (key == Stripe.NONE) {
			deadline = awaitSupply(1, deadline);
			key = takeKeyFromMemory();
		}
		return key;
	}

	private long takeKeyFromMemory() {
		long key = takeKeyFromStripe(Thread.currentThread());
		if (key != Stripe.NONE) {
			return key;
		}
		long ordinal = takeFromCurrent();
		return (ordinal != Block.NONE) ? this.keySpace.key(ordinal) : Stripe.NONE;
	}

	private long takeKeyFromStripe(Thread thread) {
		Stripe stripe = this.stripes.own(thread);
		if (stripe == null && this.stripes.isClaimable(thread)) {
			stripe = claimStripe(thread);
		}
		return (stripe != null) ? stripe.take(this.filler) : this.stripes.takeShared(thread, this.filler);
	}

	private @Nullable Stripe claimStripe(Thread thread) {
		return this.guard.call(() -> {
			Stripe stripe = this.stripes.claim(thread);
			if (stripe != null) {
				planSweep();
			}
			return stripe;
		});
	}

	/**
	 * Forget dead owners of stripes before long, also if nothing is reserved any more.
	 */
	private void planSweep() {
		this.sweeping.plan(() -> SWEEP_INTERVAL);
	}

	private void sweep() {
		if (this.guard.call(this.stripes::sweep)) {
			planSweep();
		}
	}

	/**
	 * Put a chunk of the current block into a stripe, without waiting for the next block.
	 */
	private void fill(Stripe stripe) {
		Block block = this.current;
		int wanted = stripe.nextSize(this.stripes.longestChunk(block.reserved(), this.source.remaining()));
		long start = block.takeUpTo(wanted);
		if (start == Block.NONE) {
			return;
		}
		int count = (int) Math.min(wanted, block.end() - start);
		ArithmeticRun steps = Objects.requireNonNull(this.keySpace.steps(start));
		stripe.fill(start, count, this.keySpace.key(start), steps);
		if (block.isHalfway(start, count)) {
			refill();
		}
	}

	/**
	 * Take several keys, all or none: first what is left in the stripe of the calling
	 * thread, so that a thread which is alone gets them in order.
	 */
	void takeKeys(long[] into) {
		Stripe stripe = this.stripes.own(Thread.currentThread());
		int done = (stripe != null) ? Math.min(stripe.left(), into.length) : 0;
		List<OrdinalRange> ranges = (done < into.length) ? take(into.length - done) : List.of();
		if (stripe != null) {
			stripe.take(into, done);
		}
		for (OrdinalRange range : ranges) {
			int count = (int) range.size();
			this.keySpace.keys(range.start(), into, done, count);
			done += count;
		}
	}

	/**
	 * Take the next ordinal.
	 */
	long take() {
		long ordinal = takeFromCurrent();
		return (ordinal != Block.NONE) ? ordinal : takeSlowly();
	}

	private long takeFromCurrent() {
		Block block = this.current;
		long ordinal = block.take();
		if (ordinal != Block.NONE && block.isHalfway(ordinal, 1)) {
			refill();
		}
		return ordinal;
	}

	private long takeSlowly() {
		Deadline deadline = null;
		long ordinal;
		do {
			deadline = awaitSupply(1, deadline);
			ordinal = takeFromCurrent();
		}
		while (ordinal == Block.NONE);
		return ordinal;
	}

	/**
	 * Take several ordinals, all or none.
	 * @param count how many, at least 1
	 * @return ranges that together hold as many ordinals; none crosses a boundary of the
	 * key space
	 */
	List<OrdinalRange> take(int count) {
		Block block = this.current;
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
			deadline = awaitSupply(count, deadline);
			ranges = gather(count);
		}
		return ranges;
	}

	/**
	 * Refuse a bulk call that must fail, before it takes everything away from the others.
	 * Looks at the store first, where something may have been given back.
	 */
	private void failIfInsufficient(int count) {
		Deadline deadline = Deadline.after(this.timeSource, this.settings.waitTimeout());
		awaitRead(deadline);
		if (isMoreThanThereIs(count)) {
			throw this.guard.call(() -> exhaustedException(count));
		}
	}

	private boolean isMoreThanThereIs(int count) {
		return this.guard.call(() -> {
			reclaimIfNeeded(count);
			long remaining = this.source.remaining();
			return this.terminal == null && remaining > 0 && count - inMemory() > remaining;
		});
	}

	/**
	 * Take ordinals from the current block and those ahead. Each block is drained before
	 * it is counted, so that nobody can take from it in between, and what is left over of
	 * the last one becomes the current block.
	 * @return nothing if fewer are in memory
	 */
	private List<OrdinalRange> gather(int count) {
		return this.guard.call(() -> {
			Block block = this.current;
			OrdinalRange drained = block.drain();
			if (drained.size() + inBlocksAhead() < count) {
				this.current = block.remainder(drained);
				return List.of();
			}
			List<OrdinalRange> ranges = new ArrayList<>();
			long missing = count;
			int used = 0;
			while (missing > drained.size()) {
				missing -= drained.size();
				addIfNotEmpty(ranges, drained);
				block = this.ahead.get(used++);
				drained = block.drain();
			}
			addIfNotEmpty(ranges, new OrdinalRange(drained.start(), drained.start() + missing));
			List<Block> left = List.copyOf(this.ahead.subList(used, this.ahead.size()));
			Block remainder = block.remainder(new OrdinalRange(drained.start() + missing, drained.end()));
			this.ahead = left;
			this.current = remainder;
			refillIfNeeded();
			return ranges;
		});
	}

	private static void addIfNotEmpty(List<OrdinalRange> ranges, OrdinalRange range) {
		if (!range.isEmpty()) {
			ranges.add(range);
		}
	}

	/**
	 * Return once it is worth trying again to take as many ordinals.
	 * @param callersDeadline until when the caller waits, {@code null} if it has not
	 * waited yet
	 * @return until when the caller waits, {@code null} if it has not waited yet
	 */
	private @Nullable Deadline awaitSupply(int count, @Nullable Deadline callersDeadline) {
		long started = this.timeSource.nanoTime();
		PendingRefill joined = join(count, callersDeadline);
		if (joined == null) {
			return callersDeadline;
		}
		Deadline deadline = (callersDeadline != null) ? callersDeadline : joined.deadline();
		try {
			joined.await(deadline, (problem, cause) -> unavailable(problem, cause));
			return deadline;
		}
		catch (IdStoreUnavailableException ex) {
			// whoever was in a shared stripe, with what it holds, may have left it
			// meanwhile
			if (!isInMemory(count)) {
				throw ex;
			}
			return deadline;
		}
		finally {
			this.waited.add(this.timeSource.nanoTime() - started);
		}
	}

	private @Nullable PendingRefill join(int count, @Nullable Deadline callersDeadline) {
		return this.guard.call(() -> joinIfNeeded(count, callersDeadline));
	}

	private @Nullable PendingRefill joinIfNeeded(int count, @Nullable Deadline callersDeadline) {
		if (this.terminal != null) {
			throw StoreAwait.forCaller(this.terminal);
		}
		if (isInMemory(count)) {
			return null;
		}
		if (isExhausted()) {
			throw exhaustedException(count);
		}
		if (callersDeadline == null) {
			this.exhaustions++;
		}
		else if (callersDeadline.hasPassed()) {
			throw unavailable("the store supplied less than is needed, or other callers consumed it", null);
		}
		PendingRefill joined = this.round;
		if (joined == null || joined.deadline().hasPassed()) {
			joined = new PendingRefill(Deadline.after(this.timeSource, this.settings.waitTimeout()));
			this.round = joined;
		}
		joined.addDemand(count);
		fetch();
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
			return inMemory() >= count;
		});
	}

	/**
	 * Take back what is left in stripes, as far as it is not for one thread only, and
	 * nobody is in there at the moment.
	 */
	private void reclaimIfNeeded(int count) {
		if (inMemory() >= count) {
			return;
		}
		List<OrdinalRange> reclaimed = this.stripes.reclaim();
		if (!reclaimed.isEmpty()) {
			addAhead(reclaimed.stream().map(Block::leftover).toList());
			moveOn();
			refillIfNeeded();
		}
	}

	private void addAhead(List<Block> blocks) {
		List<Block> all = new ArrayList<>(this.ahead);
		all.addAll(blocks);
		this.ahead = List.copyOf(all);
	}

	private void refill() {
		this.guard.run(this.refilling);
	}

	private void refillIfNeeded() {
		if (isExhausted()) {
			return;
		}
		// also when all that is ahead is what was left of others
		boolean nextBlockIsDue = this.current.isHalfUsed() && this.ahead.stream().allMatch(Block::isHalfUsed);
		if (nextBlockIsDue || inMemory() < this.sizing.leastInMemory(this.source.remaining())) {
			fetch();
		}
	}

	private boolean isExhausted() {
		return this.exhausted != null && !this.exhausted.hasPassed();
	}

	private void fetch() {
		if (this.terminal == null) {
			this.worker.request();
		}
	}

	/**
	 * Let those who wait know that nothing is under way any more, and that the outcome is
	 * unknown. The next caller tries again, if the retry does not.
	 */
	private void abandoned(Throwable reason) {
		this.failures++;
		RuntimeException failure = unavailable("reserving a block failed: " + reason, reason);
		this.lastFailure = failure;
		completeRound(failure);
		retryLater();
	}

	/**
	 * What the worker does for this server.
	 */
	private final class Reserving implements StoreWorker.Job {

		@Override
		public void attempt() {
			reserveNext();
		}

		@Override
		public void abandoned(Throwable reason) {
			BlockServer.this.guard.run(() -> BlockServer.this.abandoned(reason));
		}

	}

	private void reserveNext() {
		long count = nextCount();
		long started = this.timeSource.nanoTime();
		Deadline deadline = Deadline.after(this.timeSource, this.settings.waitTimeout());
		try {
			OrdinalRange range = reserve(count, deadline);
			Duration took = supplied(range, started);
			noteHistory();
			// who listens may want to know what the history says
			this.listeners.tell((listener, name) -> listener.reserved(name, range.size(), took));
		}
		catch (IdGenerationException ex) {
			failed(ex, deadline);
		}
		catch (Throwable ex) {
			// whatever a store throws, also an Error, must not leave everybody waiting
			failed(unavailable("reserving a block failed: " + ex, ex), deadline);
		}
	}

	private void noteHistory() {
		this.forecast.observe(this.reservations.reserved());
		if (!this.forecast.isNoteDue()) {
			return;
		}
		Deadline deadline = Deadline.after(this.timeSource, this.settings.waitTimeout());
		try {
			// others have reserved as well
			this.reservations.refresh(deadline);
			this.forecast.note(this.reservations.reserved(), deadline);
		}
		catch (Throwable ex) {
			// callers have been served
			haltIfRegression(ex);
		}
	}

	/**
	 * Ask the source, observed.
	 */
	private OrdinalRange reserve(long count, Deadline deadline) {
		IdGeneratorListener.Attempt attempt = this.listeners.reserving();
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

	private long nextCount() {
		return this.guard.call(() -> {
			this.sizing.observe(issued(), this.timeSource.nanoTime(), this.lastReservationTook);
			long demand = (this.round != null && !this.round.deadline().hasPassed()) ? this.round.demand() : 0;
			long inMemory = inMemory();
			long size = this.sizing.next(this.source.remaining());
			return Math.max(this.source.next(size, inMemory), demand - inMemory);
		});
	}

	private Duration supplied(OrdinalRange range, long started) {
		return this.guard.call(() -> {
			this.worker.ended();
			this.lastFailure = null;
			// before anything that might go wrong, as it is ours now
			accept(range);
			Duration took = Duration.ofNanos(this.timeSource.nanoTime() - started);
			this.reservationsMade++;
			this.lastReservedAt = this.timeSource.instant();
			this.lastReservationTook = took;
			this.stripes.sweep();
			// should it have been impossible before
			planRenewal();
			return took;
		});
	}

	private void accept(OrdinalRange range) {
		this.confirmed += range.size();
		if (this.halted) {
			this.dropped += range.size();
			return;
		}
		if (this.closed) {
			this.unused.add(range);
			return;
		}
		List<Block> blocks = new ArrayList<>();
		long start = range.start();
		while (start < range.end()) {
			long end = Math.min(range.end(), this.keySpace.boundaryAfter(start));
			blocks.add(Block.of(new OrdinalRange(start, end)));
			start = end;
		}
		addAhead(blocks);
		boolean nothingLeft = range.isEmpty() || this.source.remaining() == 0;
		if (!nothingLeft) {
			this.backOff.reset();
		}
		// others may still give something back, so it is worth asking again later
		this.exhausted = nothingLeft ? Deadline.after(this.timeSource, this.backOff.next()) : null;
		completeRound(null);
		moveOn();
		refillIfNeeded();
	}

	private void failed(RuntimeException ex, Deadline attempt) {
		if (ex instanceof KeySpaceRegressionException regression) {
			this.guard.run(() -> countFailure(ex));
			halt(regression);
			return;
		}
		long inMemory = this.guard.call(() -> settleFailure(ex, attempt));
		this.listeners.tell((listener, name) -> listener.failed(name, ex, inMemory));
	}

	private long settleFailure(RuntimeException ex, Deadline attempt) {
		countFailure(ex);
		long inMemory = inMemory();
		if (this.terminal != null) {
			return inMemory;
		}
		if (attempt.hasPassed() && this.round != null && !this.round.deadline().hasPassed()) {
			// the store used up its time, but a caller that came later still has some
			fetch();
		}
		else {
			completeRound(ex);
			retryLater();
		}
		return inMemory;
	}

	private void countFailure(RuntimeException ex) {
		this.worker.ended();
		this.failures++;
		this.lastFailure = ex;
	}

	private void retryLater() {
		// one retry is enough, however many callers make the store fail meanwhile
		this.retrying.plan(this.backOff::next);
	}

	private boolean stop(RuntimeException reason) {
		boolean wasRunning = this.terminal == null;
		this.halted = true;
		if (wasRunning) {
			this.terminal = reason;
		}
		// first, as it drops something itself
		long drained = size(drainAll());
		this.dropped += drained + size(this.unused);
		// nor is anything given back, should this come to light while closing
		this.unused.clear();
		completeRound(reason);
		return wasRunning;
	}

	private List<OrdinalRange> drainAll() {
		List<OrdinalRange> drained = new ArrayList<>();
		addIfNotEmpty(drained, this.current.drain());
		this.ahead.forEach((block) -> addIfNotEmpty(drained, block.drain()));
		this.ahead = List.of();
		this.dropped += this.stripes.shut(drained);
		return drained;
	}

	private void completeRound(@Nullable RuntimeException failure) {
		PendingRefill completed = this.round;
		if (completed != null) {
			// first, so that no one joins it any more
			this.round = null;
			completed.complete(failure);
		}
	}

	/**
	 * Make the next block the current one if the current one is used up.
	 */
	private void moveOn() {
		while (this.current.remaining() == 0 && !this.ahead.isEmpty()) {
			Block next = this.ahead.get(0);
			this.ahead = List.copyOf(this.ahead.subList(1, this.ahead.size()));
			this.current = next;
			refillIfNeeded();
		}
	}

	/**
	 * Return whether an ordinal has been reserved by any instance. Asks the store unless
	 * the answer is beyond doubt.
	 */
	boolean isReserved(long ordinal) {
		return isReserved(ordinal, Deadline.after(this.timeSource, this.settings.waitTimeout()));
	}

	boolean isReserved(long ordinal, Deadline deadline) {
		if (!this.reservations.isCertainlyReserved(ordinal)) {
			awaitRead(deadline);
		}
		return this.reservations.isReserved(ordinal);
	}

	private void awaitRead(Deadline deadline) {
		RuntimeException stopped = this.terminal;
		StoreAwait.on((stopped != null) ? CompletableFuture.<Boolean>failedFuture(stopped)
				: noted(this.worker.beginRead(deadline)), deadline, this::unavailable);
	}

	/**
	 * Ask the store how far the key space is reserved.
	 */
	CompletableFuture<Boolean> refresh(Deadline deadline) {
		RuntimeException stopped = this.terminal;
		return (stopped != null) ? CompletableFuture.failedFuture(stopped) : noted(this.worker.read(deadline));
	}

	private CompletableFuture<Boolean> noted(CompletableFuture<Boolean> read) {
		read.whenComplete((done, failure) -> this.readFailure = failure);
		return read;
	}

	private void look(Deadline deadline) {
		try {
			this.reservations.refresh(deadline);
			this.forecast.look(this.reservations.reserved(), deadline);
		}
		catch (Throwable ex) {
			haltIfRegression(ex);
			throw ex;
		}
	}

	private void planRenewal() {
		Duration interval = this.source.renewalInterval();
		if (interval != null && this.terminal == null) {
			// with jitter: instances that were started together must not renew together
			this.renewing
				.plan(() -> interval.minusNanos(ThreadLocalRandom.current().nextLong(interval.toNanos() / 4 + 1)));
		}
	}

	private void renew() {
		try {
			this.source.renew(Deadline.after(this.timeSource, this.settings.waitTimeout()));
			this.readFailure = null;
		}
		catch (Throwable ex) {
			// nothing is lost yet: should another instance take over, this one finds out
			this.readFailure = ex;
			haltIfRegression(ex);
		}
		finally {
			planRenewal();
		}
	}

	private void haltIfRegression(Throwable failure) {
		if (failure instanceof KeySpaceRegressionException regression) {
			halt(regression);
		}
	}

	/**
	 * Stop for good: hand out nothing more, give nothing back.
	 */
	void halt(KeySpaceRegressionException reason) {
		RuntimeException stopped = new KeySpaceRegressionException(
				"Id generator '" + this.generator + "' has stopped: " + reason.getMessage(), reason);
		boolean wasRunning = this.guard.call(() -> stop(stopped));
		tellIfStopped(wasRunning ? reason : null);
	}

	/**
	 * Hand out nothing more, and give back what is unused, where that is safe. Waits for
	 * the store as long as a caller would.
	 */
	@Override
	public void close() {
		StoreWorker.awaitAll(List.of(beginClose()), this.settings.waitTimeout());
	}

	/**
	 * Hand out nothing more, and begin to give back.
	 * @return completes when the store has answered
	 */
	CompletableFuture<Boolean> beginClose() {
		return this.guard.call(this::stopServing) ? this.worker.close(this::giveBack)
				: CompletableFuture.completedFuture(false);
	}

	private boolean stopServing() {
		if (this.closed) {
			return false;
		}
		this.closed = true;
		if (this.terminal == null) {
			this.terminal = new StoreAwait.ClosedException(this.generator);
			this.unused.addAll(drainAll());
			completeRound(this.terminal);
		}
		return true;
	}

	private void giveBack() {
		List<OrdinalRange> unused = this.guard.call(() -> List.copyOf(this.unused));
		long free = 0;
		try {
			free = this.source.giveBack(unused, Deadline.after(this.timeSource, this.settings.waitTimeout()));
		}
		catch (RuntimeException ex) {
			this.listeners.tell((listener, name) -> listener.failed(name, ex, 0));
		}
		finally {
			long givenBack = free;
			long abandoned = size(unused) - givenBack;
			this.listeners.tell((listener, name) -> listener.closed(name, givenBack, abandoned));
		}
	}

	private long inBlocksAhead() {
		return this.ahead.stream().mapToLong(Block::remaining).sum();
	}

	private long inMemory() {
		return this.current.remaining() + inBlocksAhead();
	}

	private long held() {
		return this.current.reserved() + this.ahead.stream().mapToLong(Block::reserved).sum();
	}

	/**
	 * Return how many ordinals were handed out: all that were confirmed, but for those
	 * that are still here and those that were dropped. What is in stripes is counted
	 * while their owners take from it, so this may be wrong by a chunk for each of them;
	 * and as it never falls, it stays too high by a chunk that was on its way into a
	 * stripe when somebody looked, until as many have been taken.
	 */
	private long issued() {
		long left = inMemory() + this.stripes.left() + size(this.unused);
		this.issued = Math.max(this.issued, this.confirmed - left - this.dropped);
		return this.issued;
	}

	private static long size(List<OrdinalRange> ranges) {
		return ranges.stream().mapToLong(OrdinalRange::size).sum();
	}

	/**
	 * Return what there is to see of this server.
	 */
	ServerSnapshot snapshot() {
		return this.guard.call(() -> {
			long owned = this.stripes.leftToOwners();
			long inStripes = this.stripes.leftToOthers();
			long remaining = this.current.remaining() + inStripes + owned;
			BlockSnapshot block = new BlockSnapshot(this.sizing.size(), remaining, owned, inBlocksAhead(), held(),
					this.reservationsMade, this.exhaustions, Duration.ofNanos(this.waited.sum()), this.failures,
					this.lastReservedAt, this.lastReservationTook,
					(this.lastFailure != null) ? this.lastFailure.getMessage() : null);
			boolean empty = inMemory() == 0 && inStripes == 0;
			return new ServerSnapshot(block, empty, issued(), storeFailure(), this.terminal);
		});
	}

	private @Nullable String storeFailure() {
		Throwable failure = (this.readFailure != null) ? this.readFailure : this.lastFailure;
		if (failure instanceof TimeoutException || failure instanceof CancellationException) {
			return "The store did not answer in time.";
		}
		return (failure != null) ? String.valueOf(failure.getMessage()) : null;
	}

	/**
	 * What there is to see of a server.
	 *
	 * @param block the blocks of this instance
	 * @param empty whether a caller may find nothing in memory
	 * @param issued how many ordinals were handed out
	 * @param storeFailure why the store could not be asked, {@code null} if it answered
	 * @param terminal why nothing is handed out any more, {@code null} if that is not so
	 */
	record ServerSnapshot(BlockSnapshot block, boolean empty, long issued, @Nullable String storeFailure,
			@Nullable RuntimeException terminal) {

	}

	private void tellIfStopped(@Nullable RuntimeException reason) {
		if (reason != null) {
			this.listeners.tell((listener, name) -> listener.stopped(name, reason));
		}
	}

	private IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException(
				"Id generator '" + this.generator + "' has no id in memory and " + problem
						+ ". Check the store of key space '" + this.keySpaceName
						+ "'; the generator recovers by itself as soon as the store answers. "
						+ "Consider an outage reserve of ids in memory to live through outages.",
				(cause != null) ? cause : this.lastFailure);
	}

	private KeySpaceExhaustedException exhaustedException(int count) {
		return new KeySpaceExhaustedException("Id generator '" + this.generator + "' was asked for " + count
				+ " more: of the " + this.keySpace.capacity() + " keys of key space '" + this.keySpaceName + "', "
				+ this.source.remaining() + " are not reserved, and this instance holds " + inMemory() + " unused. "
				+ RecoveryInstructions.raiseBound(this.keySpace));
	}

}
