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
 * The engines of one generator. A thread stays with one of them while it lives, and new
 * threads take turns, so that those who insert at the same time insert in different
 * places. When one engine finds that the store went backwards, all stop.
 */
final class BlockEngines implements AutoCloseable, KeySource {

	/** Made beforehand, so that callers need no stack for that. */
	private static final Function<KeySource, Long> TAKE_KEY = KeySource::takeKey;

	private final BlockEngine[] engines;

	private final KeySource[] keys;

	private final AtomicInteger threads = new AtomicInteger();

	// holds nothing of ours: what stays behind in a pooled thread keeps no class alive
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
	 * Return the stripes from which callers take as long as they can. Of several engines
	 * none has any: where threads stay with theirs, the order of ordinals means
	 * something.
	 */
	Stripes stripes() {
		return (this.engines.length == 1) ? this.engines[0].stripes() : Stripes.none();
	}

	/**
	 * Return what hands out keys: the only engine itself, or all of them.
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
	 * Take from the engine of the calling thread or, when that one finds nothing more to
	 * reserve, from those that still have something.
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
	 * Ask the store how far the key space is reserved.
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
	 * Close all at the same time, so that a store that does not answer costs its time
	 * once.
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
	 * The snapshot of a engine, or of several.
	 *
	 * @param block the blocks of this instance
	 * @param empty whether a caller may find nothing in memory
	 * @param issued how many ordinals were handed out
	 * @param storeFailure why the store could not be asked, {@code null} if it answered
	 * @param terminal why nothing is handed out any more, {@code null} while it is
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
	 * Takes several keys. No lambda, see {@link #TAKE_KEY}.
	 */
	private record Bulk(long[] into) implements Function<KeySource, long[]> {

		@Override
		public long[] apply(KeySource keys) {
			keys.takeKeys(this.into);
			return this.into;
		}

	}

}
