package dev.idspring.block;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The engines of one generator. Threads are assigned to engines round-robin, so that
 * concurrent inserts write to different parts of a database index. A thread takes ids
 * from the memory of another engine only if its own engine has too few and cannot get
 * more, because the store fails or has no ids left for that engine. {@link #halt} stops
 * all engines when one of them detects that the store returned to an earlier state.
 */
final class BlockEngines implements KeySource {

	private final List<BlockEngine> engines;

	private final KeySpace keySpace;

	private final AtomicInteger assignedThreads = new AtomicInteger();

	// an Integer references no class of this library, so a value that remains in a pooled
	// thread does not prevent these classes from being unloaded
	private final ThreadLocal<Integer> engineIndex = new ThreadLocal<>();

	BlockEngines(List<BlockEngine> engines, KeySpace keySpace) {
		this.engines = List.copyOf(engines);
		this.keySpace = keySpace;
	}

	void start() {
		this.engines.forEach(BlockEngine::start);
	}

	/**
	 * Return the stripes that callers try first. With several engines there are no
	 * stripes, because a generator has several engines only if the order of ordinals
	 * matters.
	 */
	Stripes stripes() {
		return (this.engines.size() == 1) ? engine(0).stripes() : Stripes.none();
	}

	/**
	 * Return a source that draws keys from all engines.
	 */
	KeySource keys() {
		return (this.engines.size() == 1) ? new StripedKeys(engine(0), this.keySpace) : this;
	}

	@Override
	public long takeKey() {
		long ordinal = engine(engineIndex()).takeFromCurrent();
		return this.keySpace.key((ordinal != Block.NONE) ? ordinal : take(1).get(0).start());
	}

	@Override
	public void takeKeys(long[] into) {
		KeySource.writeKeys(this.keySpace, take(into.length), into, 0);
	}

	/**
	 * Take ordinals from the engine of the calling thread. If that engine has too few in
	 * memory, and probably gets no more from the store, try the memory of all engines. If
	 * this call still has no ordinals, wait for the store.
	 */
	private List<OrdinalRange> take(int count) {
		int own = engineIndex();
		List<OrdinalRange> ranges = engine(own).takeFromMemory(count);
		if (ranges.isEmpty() && engine(own).isStarved()) {
			ranges = takeFromMemory(own, count);
		}
		return ranges.isEmpty() ? takeFromStore(own, count) : ranges;
	}

	/**
	 * Take ordinals from the engine {@code own}, waiting for the store. If that engine is
	 * exhausted, try the next ones. All waits share one deadline.
	 */
	private List<OrdinalRange> takeFromStore(int own, int count) {
		Deadline deadline = engine(own).deadline();
		for (int i = 0;; i++) {
			try {
				return engine(own + i).take(count, (i == 0) ? null : deadline);
			}
			catch (KeySpaceExhaustedException | IdStoreUnavailableException ex) {
				List<OrdinalRange> ranges = takeFromMemory(own, count);
				if (!ranges.isEmpty()) {
					return ranges;
				}
				if (ex instanceof IdStoreUnavailableException || i == this.engines.size() - 1) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Take ordinals from the first engine, beginning with {@code own}, that has enough of
	 * them in memory.
	 * @return the ranges, empty if there is no such engine
	 */
	private List<OrdinalRange> takeFromMemory(int own, int count) {
		List<OrdinalRange> ranges = List.of();
		for (int i = 0; i < this.engines.size() && ranges.isEmpty(); i++) {
			ranges = engine(own + i).takeFromMemory(count);
		}
		return ranges;
	}

	private BlockEngine engine(int index) {
		return this.engines.get(index % this.engines.size());
	}

	private int engineIndex() {
		Integer index = this.engineIndex.get();
		if (index == null) {
			index = Math.floorMod(this.assignedThreads.getAndIncrement(), this.engines.size());
			this.engineIndex.set(index);
		}
		return index;
	}

	/**
	 * Throw an exception if this generator is closed or has stopped.
	 */
	void verifyRunning() {
		engine(0).verifyRunning();
	}

	/**
	 * Return whether an ordinal is reserved, by this or any other instance.
	 */
	boolean isReserved(long ordinal, Deadline deadline) {
		return engine(0).isReserved(ordinal, deadline);
	}

	/**
	 * Read from the store how much of the key space is reserved.
	 */
	CompletableFuture<Boolean> refresh(Deadline deadline) {
		return engine(0).refresh(deadline);
	}

	CompletableFuture<?> dropMemory() {
		return onAll(BlockEngine::dropMemory);
	}

	void halt(KeySpaceRegressionException reason) {
		this.engines.forEach((engine) -> engine.halt(reason));
	}

	List<OrdinalRange> inMemory() {
		return this.engines.stream()
			.flatMap((engine) -> engine.unusedRanges().stream())
			.filter((range) -> !range.isEmpty())
			.toList();
	}

	Snapshot snapshot() {
		return this.engines.stream().map(BlockEngine::snapshot).reduce(Snapshot::plus).orElseThrow();
	}

	/**
	 * Begin to close all engines in parallel. If the store does not answer, a caller that
	 * waits for the result waits for one timeout, not for one per engine.
	 */
	CompletableFuture<?> beginClose() {
		return onAll(BlockEngine::beginClose);
	}

	private CompletableFuture<?> onAll(Function<BlockEngine, CompletableFuture<?>> call) {
		return CompletableFuture.allOf(this.engines.stream().map(call).toArray(CompletableFuture[]::new));
	}

	/**
	 * The snapshot of one engine, or the combined snapshot of several engines.
	 *
	 * @param block the state of the blocks
	 * @param empty whether a caller without a stripe of its own finds no ordinal in
	 * memory
	 * @param exhausted whether memory is empty, and nothing was left to reserve after the
	 * last successful reservation
	 * @param issued how many ordinals were handed out
	 * @param storeFailure why the last access to the store failed, or {@code null} if it
	 * succeeded
	 * @param terminalFailure why the engine has stopped or was closed, or {@code null}
	 * while it is running
	 */
	record Snapshot(BlockSnapshot block, boolean empty, boolean exhausted, long issued, @Nullable String storeFailure,
			@Nullable RuntimeException terminalFailure) {

		private Snapshot plus(Snapshot other) {
			BlockSnapshot one = this.block;
			BlockSnapshot two = other.block;
			Instant lastReservedAt = one.lastReservedAt();
			boolean isOtherLater = lastReservedAt == null
					|| (two.lastReservedAt() != null && two.lastReservedAt().isAfter(lastReservedAt));
			BlockSnapshot latest = isOtherLater ? two : one;
			return new Snapshot(
					new BlockSnapshot(latest.size(), one.remaining() + two.remaining(), one.owned() + two.owned(),
							one.ahead() + two.ahead(), one.held() + two.held(), one.reservations() + two.reservations(),
							one.exhaustions() + two.exhaustions(), one.waited().plus(two.waited()),
							one.failures() + two.failures(), latest.lastReservedAt(), latest.lastReservationTook(),
							(one.lastError() != null) ? one.lastError() : two.lastError()),
					this.empty && other.empty, this.exhausted && other.exhausted, this.issued + other.issued,
					(this.storeFailure != null) ? this.storeFailure : other.storeFailure,
					(this.terminalFailure != null) ? this.terminalFailure : other.terminalFailure);
		}

	}

}
