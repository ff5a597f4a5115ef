package dev.idspring.block;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.clock.Deadline;
import dev.idspring.clock.TimeSource;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.BlockSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the ordinals of one key space, from blocks that are reserved ahead of use.
 * <p>
 * Why no ordinal leaves twice, or before its reservation is durable:
 * <ol>
 * <li>The store returns a range only once it is durable, and never the same ordinal to
 * anybody twice ({@link KeySpaceStore}). A range becomes {@link Block}s in
 * {@link #accept} and nowhere else.</li>
 * <li>Callers take ordinals from {@link #current} alone, by atomic moves of its cursor. A
 * block gets there under the lock, and only once: from {@link #ahead}, or as what is left
 * of a drained one whose other part went to one bulk caller.</li>
 * <li>A range that begins below the end of a confirmed one means that the store went
 * backwards. Then all blocks are drained before anybody is served again, and the server
 * stops for good.</li>
 * <li>Closing sets {@link #terminal}, then drains all blocks, both under the lock; so
 * what is given back can no longer be taken. It is given back at most once.</li>
 * </ol>
 * Why nobody hangs:
 * <ol>
 * <li>Only the supply talks to the store, and it holds no lock meanwhile. Callers hold
 * the lock for a few instructions.</li>
 * <li>At most one reservation is under way ({@link #fetching}). Whatever becomes of it,
 * it ends in {@link #supplied} or {@link #failed}, where everyone who waits is told or a
 * further attempt begins.</li>
 * <li>Callers that find nothing in memory join one {@link Round} with one deadline, and
 * keep that deadline when they are not served by the first supply; so a store that never
 * answers costs each of them that time once.</li>
 * </ol>
 */
final class BlockServer implements AutoCloseable {

	private static final Duration FIRST_BACK_OFF = Duration.ofMillis(250);

	private static final Duration LAST_BACK_OFF = Duration.ofSeconds(30);

	private final String generator;

	private final String keySpaceName;

	private final KeySpace keySpace;

	private final KeySpaceStore store;

	private final BlockSettings settings;

	private final TimeSource timeSource;

	private final Supply supply;

	private final List<ReservationListener> listeners;

	private final Lock lock = new ReentrantLock();

	private volatile Block current = Block.usedUp();

	// From here on everything is guarded by the lock.

	private final Deque<Block> ahead = new ArrayDeque<>();

	private final List<OrdinalRange> unused = new ArrayList<>();

	private final BlockSizing sizing;

	private final ReservationRate rate;

	private @Nullable Round round;

	private boolean fetching;

	private boolean retryPlanned;

	private boolean closed;

	private @Nullable RuntimeException terminal;

	/** The store's counter when it was last seen. */
	private long nextOrdinal;

	/** Where the highest range ends that was ever confirmed to this instance. */
	private long highestEnd;

	/** How many ordinals were ever confirmed to this instance. */
	private long confirmed;

	/** Until when nothing more is asked of a used-up key space. */
	private @Nullable Deadline exhausted;

	private Duration backOff = FIRST_BACK_OFF;

	private long reservations;

	private long exhaustions;

	private long failures;

	private @Nullable Instant lastReservedAt;

	private @Nullable Duration lastReservationTook;

	private volatile @Nullable RuntimeException lastFailure;

	/** Why the last look at the store's counter failed. */
	private volatile @Nullable Throwable readFailure;

	BlockServer(String generator, String keySpaceName, KeySpace keySpace, long nextOrdinal, KeySpaceStore store,
			BlockSettings settings, TimeSource timeSource, Supply supply, List<ReservationListener> listeners) {
		this.generator = generator;
		this.keySpaceName = keySpaceName;
		this.keySpace = keySpace;
		this.nextOrdinal = nextOrdinal;
		this.store = store;
		this.settings = settings;
		this.timeSource = timeSource;
		this.supply = supply;
		this.listeners = List.copyOf(listeners);
		this.sizing = new BlockSizing(settings, timeSource.nanoTime());
		this.rate = new ReservationRate();
	}

	/**
	 * Reserve the first block in the background.
	 */
	void start() {
		tell((listener) -> listener.opened(this.generator, this.keySpaceName, this.keySpace, this.nextOrdinal));
		refill();
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
		Deadline deadline = null;
		while (true) {
			List<OrdinalRange> ranges = gather(count);
			if (!ranges.isEmpty()) {
				return ranges;
			}
			deadline = awaitSupply(count, deadline);
		}
	}

	/**
	 * Take ordinals from the current block and those ahead. Each block is drained before
	 * it is counted, so that nobody can take from it in between, and what is left over of
	 * the last one becomes the current block.
	 * @return nothing if fewer are in memory
	 */
	private List<OrdinalRange> gather(int count) {
		this.lock.lock();
		try {
			Block block = this.current;
			OrdinalRange drained = block.drain();
			if (drained.size() + inBlocksAhead() < count) {
				this.current = block.remainder(drained);
				return List.of();
			}
			List<OrdinalRange> ranges = new ArrayList<>();
			long missing = count;
			while (missing > drained.size()) {
				missing -= drained.size();
				addIfNotEmpty(ranges, drained);
				block = this.ahead.remove();
				drained = block.drain();
			}
			addIfNotEmpty(ranges, new OrdinalRange(drained.start(), drained.start() + missing));
			this.current = block.remainder(new OrdinalRange(drained.start() + missing, drained.end()));
			refillIfNeeded();
			return ranges;
		}
		finally {
			this.lock.unlock();
		}
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
		Round joined = join(count, callersDeadline);
		if (joined == null) {
			return callersDeadline;
		}
		Deadline deadline = (callersDeadline != null) ? callersDeadline : joined.deadline();
		joined.await(deadline, (problem, cause) -> unavailable(problem, cause));
		return deadline;
	}

	private @Nullable Round join(int count, @Nullable Deadline callersDeadline) {
		this.lock.lock();
		try {
			if (this.terminal != null) {
				throw Waiting.forCaller(this.terminal);
			}
			moveOn();
			if (inMemory() >= count) {
				return null;
			}
			boolean knownToBeUsedUp = this.exhausted != null && !this.exhausted.hasPassed();
			// or a bulk call that must fail would take everything away from the others
			boolean neverEnough = remaining() > 0 && count > inMemory() + remaining();
			if (knownToBeUsedUp || neverEnough) {
				throw exhaustedException(count);
			}
			if (callersDeadline == null) {
				this.exhaustions++;
			}
			else if (callersDeadline.hasPassed()) {
				throw unavailable("what the store supplied went to other callers", null);
			}
			Round joined = this.round;
			if (joined == null || joined.deadline().hasPassed()) {
				joined = new Round(Deadline.after(this.timeSource, this.settings.waitTimeout()));
				this.round = joined;
			}
			joined.addDemand(count);
			fetch();
			return joined;
		}
		finally {
			this.lock.unlock();
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
		if (this.exhausted != null && !this.exhausted.hasPassed()) {
			return;
		}
		boolean nextBlockIsDue = this.ahead.isEmpty() && this.current.isHalfUsed();
		if (nextBlockIsDue || inMemory() < this.sizing.leastInMemory(remaining())) {
			fetch();
		}
	}

	private void fetch() {
		if (!this.fetching && this.terminal == null) {
			this.fetching = true;
			this.supply.execute(this::reserve);
		}
	}

	private void reserve() {
		long count = nextCount();
		long started = this.timeSource.nanoTime();
		Deadline deadline = Deadline.after(this.timeSource, this.settings.waitTimeout());
		try {
			OrdinalRange range = this.store.reserve(this.keySpaceName, count, this.keySpace.capacity(), deadline);
			supplied(range, Duration.ofNanos(this.timeSource.nanoTime() - started));
		}
		catch (RuntimeException ex) {
			failed(ex, deadline);
		}
		catch (Throwable ex) {
			// an Error must not leave everybody waiting
			failed(unavailable("reserving a block failed: " + ex, ex), deadline);
		}
	}

	private long nextCount() {
		this.lock.lock();
		try {
			this.sizing.observe(this.confirmed - inMemory(), this.timeSource.nanoTime());
			long demand = (this.round != null && !this.round.deadline().hasPassed()) ? this.round.demand() : 0;
			return Math.max(this.sizing.next(remaining()), demand - inMemory());
		}
		finally {
			this.lock.unlock();
		}
	}

	private void supplied(OrdinalRange range, Duration took) {
		RuntimeException regression = null;
		this.lock.lock();
		try {
			this.fetching = false;
			this.reservations++;
			this.lastReservedAt = this.timeSource.instant();
			this.lastReservationTook = took;
			this.lastFailure = null;
			if (range.start() < this.highestEnd) {
				regression = regressionException(range.start());
				stop(regression);
			}
			else {
				seen(range.end());
				accept(range);
			}
		}
		finally {
			this.lock.unlock();
		}
		tell((listener) -> listener.reserved(this.generator, range, took));
		tellIfStopped(regression);
	}

	private void accept(OrdinalRange range) {
		if (!range.isEmpty()) {
			this.highestEnd = range.end();
			this.confirmed += range.size();
		}
		if (this.closed) {
			this.unused.add(range);
			return;
		}
		long start = range.start();
		while (start < range.end()) {
			long end = Math.min(range.end(), this.keySpace.boundaryAfter(start));
			this.ahead.add(Block.of(new OrdinalRange(start, end)));
			start = end;
		}
		boolean nothingLeft = range.end() >= this.keySpace.capacity();
		if (!nothingLeft) {
			this.backOff = FIRST_BACK_OFF;
		}
		// others may still give something back, so it is worth asking again later
		this.exhausted = nothingLeft ? Deadline.after(this.timeSource, nextBackOff()) : null;
		completeRound(null);
		moveOn();
		refillIfNeeded();
	}

	private void failed(RuntimeException ex, Deadline attempt) {
		long inMemory;
		RuntimeException regression = (ex instanceof KeySpaceRegressionException) ? ex : null;
		this.lock.lock();
		try {
			this.fetching = false;
			this.failures++;
			this.lastFailure = ex;
			inMemory = inMemory();
			if (regression != null) {
				stop(regression);
			}
			else if (attempt.hasPassed() && this.round != null && !this.round.deadline().hasPassed()) {
				// the store used up its time, but somebody who came later still has some
				fetch();
			}
			else if (this.terminal == null) {
				completeRound(ex);
				retryLater();
			}
		}
		finally {
			this.lock.unlock();
		}
		tell((listener) -> listener.failed(this.generator, ex, inMemory));
		tellIfStopped(regression);
	}

	private void retryLater() {
		// one retry is enough, however many callers make the store fail meanwhile
		if (!this.retryPlanned) {
			this.retryPlanned = true;
			this.supply.executeLater(nextBackOff(), this::retry);
		}
	}

	private void retry() {
		this.lock.lock();
		try {
			this.retryPlanned = false;
			refillIfNeeded();
		}
		finally {
			this.lock.unlock();
		}
	}

	private Duration nextBackOff() {
		Duration next = this.backOff;
		Duration doubled = next.multipliedBy(2);
		this.backOff = (doubled.compareTo(LAST_BACK_OFF) < 0) ? doubled : LAST_BACK_OFF;
		return next.plusNanos(ThreadLocalRandom.current().nextLong(next.toNanos() / 4));
	}

	private void stop(RuntimeException reason) {
		if (this.terminal == null) {
			this.terminal = reason;
		}
		drainAll();
		// nor is anything given back, should this come to light while closing
		this.unused.clear();
		completeRound(reason);
	}

	private List<OrdinalRange> drainAll() {
		List<OrdinalRange> drained = new ArrayList<>();
		addIfNotEmpty(drained, this.current.drain());
		this.ahead.forEach((block) -> addIfNotEmpty(drained, block.drain()));
		this.ahead.clear();
		return drained;
	}

	private void completeRound(@Nullable RuntimeException failure) {
		if (this.round != null) {
			this.round.complete(failure);
			this.round = null;
		}
	}

	/**
	 * Make the next block the current one if the current one is used up.
	 */
	private void moveOn() {
		if (this.current.remaining() == 0 && !this.ahead.isEmpty()) {
			this.current = this.ahead.remove();
			refillIfNeeded();
		}
	}

	/**
	 * Return whether an ordinal has been reserved by any instance. Asks the store unless
	 * the answer is beyond doubt.
	 */
	boolean isReserved(long ordinal) {
		this.lock.lock();
		try {
			if (ordinal < this.highestEnd) {
				// nobody but us can give back below our own end
				return true;
			}
		}
		finally {
			this.lock.unlock();
		}
		Deadline deadline = Deadline.after(this.timeSource, this.settings.waitTimeout());
		return ordinal < Waiting.on(readNextOrdinal(deadline), deadline,
				(problem, cause) -> unavailable(problem, cause));
	}

	/**
	 * Ask the store how far the key space is reserved.
	 */
	CompletableFuture<Long> readNextOrdinal(Deadline deadline) {
		CompletableFuture<Long> answer = new CompletableFuture<>();
		this.lock.lock();
		try {
			if (this.terminal != null) {
				return CompletableFuture.failedFuture(Waiting.forCaller(this.terminal));
			}
			this.supply.execute(() -> read(answer, deadline));
		}
		finally {
			this.lock.unlock();
		}
		return answer.orTimeout(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)
			.whenComplete((stored, failure) -> this.readFailure = failure);
	}

	private void read(CompletableFuture<Long> answer, Deadline deadline) {
		try {
			// a key space that has vanished will begin anew
			long stored = this.store.read(this.keySpaceName, deadline).map(StoredKeySpace::nextOrdinal).orElse(0L);
			observe(stored);
			answer.complete(stored);
		}
		catch (Throwable ex) {
			answer.completeExceptionally(ex);
		}
	}

	private void observe(long stored) {
		RuntimeException regression = null;
		this.lock.lock();
		try {
			if (stored < this.highestEnd && this.terminal == null) {
				regression = regressionException(stored);
				stop(regression);
			}
			else {
				seen(stored);
			}
		}
		finally {
			this.lock.unlock();
		}
		tellIfStopped(regression);
		if (regression != null) {
			throw regression;
		}
	}

	private void seen(long stored) {
		this.nextOrdinal = stored;
		this.rate.observe(stored, this.timeSource.nanoTime());
	}

	/**
	 * Hand out nothing more, and give back what is unused, where nobody has reserved
	 * after it. Waits for the store as long as a caller would.
	 */
	@Override
	public void close() {
		CompletableFuture<Boolean> done = new CompletableFuture<>();
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.closed = true;
			if (this.terminal == null) {
				this.terminal = new IllegalStateException("Id generator '" + this.generator + "' is closed.");
				this.unused.addAll(drainAll());
				completeRound(this.terminal);
			}
			this.supply.execute(() -> giveBack(done));
			this.supply.close();
		}
		finally {
			this.lock.unlock();
		}
		done.completeOnTimeout(false, this.settings.waitTimeout().toNanos(), TimeUnit.NANOSECONDS).join();
	}

	private void giveBack(CompletableFuture<Boolean> done) {
		OrdinalRange givenBack = new OrdinalRange(0, 0);
		OrdinalRange tail = unusedTail();
		try {
			if (!tail.isEmpty() && this.store.giveBack(this.keySpaceName, tail,
					Deadline.after(this.timeSource, this.settings.waitTimeout()))) {
				givenBack = tail;
			}
		}
		catch (RuntimeException ex) {
			tell((listener) -> listener.failed(this.generator, ex, 0));
		}
		finally {
			OrdinalRange freed = givenBack;
			long abandoned = this.unused.stream().mapToLong(OrdinalRange::size).sum() - freed.size();
			tell((listener) -> listener.closed(this.generator, freed, abandoned));
			done.complete(true);
		}
	}

	/**
	 * Return the unused ordinals that reach up to the end of the highest range of this
	 * instance without a gap. Nothing if the store did not answer well when it was last
	 * asked: any doubt abandons them.
	 */
	private OrdinalRange unusedTail() {
		this.lock.lock();
		try {
			long start = this.highestEnd;
			if (this.lastFailure == null) {
				this.unused.sort(Comparator.comparingLong(OrdinalRange::end).reversed());
				for (OrdinalRange range : this.unused) {
					start = (range.end() == start) ? range.start() : start;
				}
			}
			return new OrdinalRange(start, this.highestEnd);
		}
		finally {
			this.lock.unlock();
		}
	}

	private long inBlocksAhead() {
		return this.ahead.stream().mapToLong(Block::remaining).sum();
	}

	private long inMemory() {
		return this.current.remaining() + inBlocksAhead();
	}

	private long remaining() {
		return Math.max(0, this.keySpace.capacity() - this.nextOrdinal);
	}

	/**
	 * Return what there is to see of this server.
	 */
	ServerSnapshot snapshot() {
		this.lock.lock();
		try {
			BlockSnapshot block = new BlockSnapshot(this.sizing.size(), this.current.remaining(), inBlocksAhead(),
					this.reservations, this.exhaustions, this.failures, this.lastReservedAt, this.lastReservationTook,
					(this.lastFailure != null) ? this.lastFailure.getMessage() : null);
			return new ServerSnapshot(block, this.nextOrdinal, this.rate.perSecond(), storeFailure(), this.terminal);
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable String storeFailure() {
		Throwable failure = (this.readFailure != null) ? this.readFailure : this.lastFailure;
		if (failure instanceof TimeoutException) {
			return "The store did not answer in time.";
		}
		return (failure != null) ? String.valueOf(failure.getMessage()) : null;
	}

	/**
	 * What there is to see of a server.
	 *
	 * @param block the blocks of this instance
	 * @param nextOrdinal the store's counter when it was last seen
	 * @param reservedPerSecond how fast that counter rises, {@code null} if it is too
	 * early to tell
	 * @param storeFailure why the store could not be asked, {@code null} if it answered
	 * @param terminal why nothing is handed out any more, {@code null} if that is not so
	 */
	record ServerSnapshot(BlockSnapshot block, long nextOrdinal, @Nullable Double reservedPerSecond,
			@Nullable String storeFailure, @Nullable RuntimeException terminal) {

	}

	private void tell(Consumer<ReservationListener> event) {
		for (ReservationListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				// whoever watches must not disturb what is watched
			}
		}
	}

	private void tellIfStopped(@Nullable RuntimeException reason) {
		if (reason != null) {
			tell((listener) -> listener.stopped(this.generator, reason));
		}
	}

	private IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException(
				"Id generator '" + this.generator + "' has no id in memory and " + problem
						+ ". Check the store of key space '" + this.keySpaceName
						+ "'; the generator recovers by itself as soon as the store answers. "
						+ "Consider ids.block.outage-reserve to live through outages.",
				(cause != null) ? cause : this.lastFailure);
	}

	private KeySpaceExhaustedException exhaustedException(int count) {
		return new KeySpaceExhaustedException(
				"Id generator '" + this.generator + "' was asked for " + count + " more: of the "
						+ this.keySpace.capacity() + " keys of key space '" + this.keySpaceName + "', " + remaining()
						+ " are not reserved, and this instance holds " + inMemory() + " unused. Raise the upper bound"
						+ " of the key space (such as ids.coprime.max-length), or use another one (ids.key-space).");
	}

	private KeySpaceRegressionException regressionException(long stored) {
		return new KeySpaceRegressionException("The store of key space '" + this.keySpaceName
				+ "' went backwards: it stands at ordinal " + stored + ", but " + this.highestEnd
				+ " was confirmed to generator '" + this.generator + "' before. A backup was restored or a lagging"
				+ " replica promoted; ids would repeat. Start the application once with --ids.skip-ahead.key-space="
				+ this.keySpaceName + " --ids.skip-ahead.by=<how many ids may be lost> --ids.skip-ahead.confirm=true,"
				+ " then restart all instances.");
	}

}
