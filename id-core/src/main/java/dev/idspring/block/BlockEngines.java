package dev.idspring.block;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreWorker;
import org.jspecify.annotations.Nullable;

/**
 * The engines of one generator. Each thread uses one engine for its whole life. New
 * threads are assigned round-robin, so that concurrent inserts go to different places.
 * When one engine detects that the store went backwards, all engines stop.
 */
final class BlockEngines implements AutoCloseable, KeySource {

	/** Created in advance, so that callers need no stack for it. */
	private static final Function<KeySource, Long> TAKE_KEY = KeySource::takeKey;

	private final BlockEngine[] engines;

	private final KeySource[] keys;

	private final AtomicInteger threads = new AtomicInteger();

	// holds JDK types only, so a value left in a pooled thread pins no class of ours
	private final ThreadLocal<Integer> turn = new ThreadLocal<>();

	BlockEngines(List<BlockEngine> engines, KeySpace keySpace) {
		this.engines = engines.toArray(BlockEngine[]::new);
		this.keys = engines.stream().map((engine) -> new StripedKeys(engine, keySpace)).toArray(KeySource[]::new);
	}

	void start() {
		for (BlockEngine engine : this.engines) {
			engine.start();
		}
	}

	/**
	 * Return the stripes that callers try first. With several engines there are no
	 * stripes: threads are bound to engines only where the order of ordinals matters.
	 */
	Stripes stripes() {
		return (this.engines.length == 1) ? this.engines[0].stripes() : Stripes.none();
	}

	/**
	 * Return the source of keys: the only engine, or all engines together.
	 */
	KeySource keys() {
		return (this.engines.length == 1) ? this.keys[0] : this;
	}

	@Override
	public long takeKey() {
		return takeFromAny(TAKE_KEY);
	}

	@Override
	public void takeKeys(long[] into) {
		takeFromAny(new Bulk(into));
	}

	/**
	 * Take from the engine of the calling thread or, when its ordinals are exhausted,
	 * from another engine that still has some.
	 */
	private <T> T takeFromAny(Function<KeySource, T> take) {
		int turn = turn();
		try {
			return take.apply(this.keys[turn]);
		}
		catch (KeySpaceExhaustedException ex) {
			for (int i = 1; i < this.engines.length; i++) {
				try {
					return take.apply(this.keys[(turn + i) % this.keys.length]);
				}
				catch (KeySpaceExhaustedException another) {
					ex.addSuppressed(another);
				}
			}
			throw ex;
		}
	}

	private int turn() {
		Integer turn = this.turn.get();
		if (turn == null) {
			turn = Math.floorMod(this.threads.getAndIncrement(), this.engines.length);
			this.turn.set(turn);
		}
		return turn;
	}

	/**
	 * Return whether an ordinal has been reserved by any instance.
	 */
	boolean isReserved(long ordinal, Deadline deadline) {
		return this.engines[0].isReserved(ordinal, deadline);
	}

	/**
	 * Read from the store how much of the key space is reserved.
	 */
	CompletableFuture<Boolean> refresh(Deadline deadline) {
		return this.engines[0].refresh(deadline);
	}

	CompletableFuture<?> dropMemory() {
		return onAll(BlockEngine::dropMemory);
	}

	void halt(KeySpaceRegressionException reason) {
		for (BlockEngine engine : this.engines) {
			engine.halt(reason);
		}
	}

	List<OrdinalRange> inMemory() {
		return Arrays.stream(this.engines)
			.flatMap((engine) -> engine.left().stream())
			.filter((range) -> !range.isEmpty())
			.toList();
	}

	Snapshot snapshot() {
		return Arrays.stream(this.engines).map(BlockEngine::snapshot).reduce(Snapshot::plus).orElseThrow();
	}

	/**
	 * Close all engines in parallel, so that a store that does not answer costs the
	 * timeout only once.
	 */
	@Override
	public void close() {
		StoreWorker.awaitAll(List.of(beginClose()), this.engines[0].waitTimeout());
	}

	CompletableFuture<?> beginClose() {
		return onAll(BlockEngine::beginClose);
	}

	private CompletableFuture<?> onAll(Function<BlockEngine, CompletableFuture<?>> call) {
		return CompletableFuture.allOf(Arrays.stream(this.engines).map(call).toArray(CompletableFuture[]::new));
	}

	/**
	 * The snapshot of one engine, or of several together.
	 *
	 * @param block the blocks of this instance
	 * @param empty whether callers may find no ordinal in memory
	 * @param issued how many ordinals were handed out
	 * @param storeFailure why the last access to the store failed, {@code null} if it
	 * succeeded
	 * @param terminal why no more ordinals are handed out, {@code null} while they are
	 */
	record Snapshot(BlockSnapshot block, boolean empty, long issued, @Nullable String storeFailure,
			@Nullable RuntimeException terminal) {

		private Snapshot plus(Snapshot other) {
			BlockSnapshot one = this.block;
			BlockSnapshot two = other.block;
			Instant at = one.lastReservedAt();
			boolean later = at == null || (two.lastReservedAt() != null && two.lastReservedAt().isAfter(at));
			BlockSnapshot latest = later ? two : one;
			return new Snapshot(
					new BlockSnapshot(latest.size(), one.remaining() + two.remaining(), one.owned() + two.owned(),
							one.ahead() + two.ahead(), one.held() + two.held(), one.reservations() + two.reservations(),
							one.exhaustions() + two.exhaustions(), one.waited().plus(two.waited()),
							one.failures() + two.failures(), latest.lastReservedAt(), latest.lastReservationTook(),
							(one.lastError() != null) ? one.lastError() : two.lastError()),
					this.empty && other.empty, this.issued + other.issued,
					(this.storeFailure != null) ? this.storeFailure : other.storeFailure,
					(this.terminal != null) ? this.terminal : other.terminal);
		}

	}

	/**
	 * Takes several keys. Not a lambda, see {@link #TAKE_KEY}.
	 */
	private record Bulk(long[] into) implements Function<KeySource, long[]> {

		@Override
		public long[] apply(KeySource keys) {
			keys.takeKeys(this.into);
			return this.into;
		}

	}

}
