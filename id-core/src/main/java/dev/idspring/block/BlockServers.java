package dev.idspring.block;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.BlockSnapshot;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreWorker;

/**
 * The servers of one generator. A thread stays with one of them while it lives, and new
 * threads take turns, so that those who insert at the same time insert in different
 * places. When one server finds that the store went backwards, all stop.
 */
final class BlockServers implements AutoCloseable, KeySource {

	private final BlockServer[] servers;

	private final AtomicInteger threads = new AtomicInteger();

	// holds nothing of ours: what stays behind in a pooled thread keeps no class alive
	private final ThreadLocal<Integer> turn = new ThreadLocal<>();

	BlockServers(List<BlockServer> servers) {
		this.servers = servers.toArray(BlockServer[]::new);
	}

	void start() {
		for (BlockServer server : this.servers) {
			server.start();
		}
	}

	/**
	 * Return the stripes from which callers take as long as they can. Of several servers
	 * none has any: where threads stay with theirs, the order of ordinals means
	 * something.
	 */
	Stripes stripes() {
		return (this.servers.length == 1) ? this.servers[0].queue().stripes() : Stripes.none();
	}

	/**
	 * Return what hands out keys: the only server itself, or all of them.
	 */
	KeySource keys() {
		return (this.servers.length == 1) ? this.servers[0].keys() : this;
	}

	@Override
	public long takeKey() {
		return takeFromAny(KeySource::takeKey);
	}

	@Override
	public void takeKeys(long[] into) {
		takeFromAny((keys) -> {
			keys.takeKeys(into);
			return into;
		});
	}

	/**
	 * Take from the server of the calling thread or, when that one finds nothing more to
	 * reserve, from those that still have something.
	 */
	private <T> T takeFromAny(Function<KeySource, T> take) {
		int turn = turn();
		try {
			return take.apply(this.servers[turn].keys());
		}
		catch (KeySpaceExhaustedException ex) {
			for (int i = 1; i < this.servers.length; i++) {
				try {
					return take.apply(this.servers[(turn + i) % this.servers.length].keys());
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
			turn = Math.floorMod(this.threads.getAndIncrement(), this.servers.length);
			this.turn.set(turn);
		}
		return turn;
	}

	/**
	 * Return whether an ordinal has been reserved by any instance.
	 */
	boolean isReserved(long ordinal, Deadline deadline) {
		return this.servers[0].reserver().isReserved(ordinal, deadline);
	}

	/**
	 * Ask the store how far the key space is reserved.
	 */
	CompletableFuture<Boolean> refresh(Deadline deadline) {
		return this.servers[0].reserver().refresh(deadline);
	}

	CompletableFuture<?> dropMemory() {
		return onAll(BlockServer::dropMemory);
	}

	void halt(KeySpaceRegressionException reason) {
		for (BlockServer server : this.servers) {
			server.halt(reason);
		}
	}

	ServerSnapshot snapshot() {
		List<ServerSnapshot> all = List.of(this.servers).stream().map(BlockServer::snapshot).toList();
		return (all.size() == 1) ? all.get(0) : sum(all);
	}

	private static ServerSnapshot sum(List<ServerSnapshot> all) {
		List<BlockSnapshot> blocks = all.stream().map(ServerSnapshot::block).toList();
		BlockSnapshot latest = blocks.stream()
			.max(Comparator.comparing(BlockSnapshot::lastReservedAt, Comparator.nullsFirst(Comparator.naturalOrder())))
			.orElseThrow();
		BlockSnapshot sum = new BlockSnapshot(latest.size(), sum(blocks, BlockSnapshot::remaining),
				sum(blocks, BlockSnapshot::owned), sum(blocks, BlockSnapshot::ahead), sum(blocks, BlockSnapshot::held),
				sum(blocks, BlockSnapshot::reservations), sum(blocks, BlockSnapshot::exhaustions),
				blocks.stream().map(BlockSnapshot::waited).reduce(Duration.ZERO, Duration::plus),
				sum(blocks, BlockSnapshot::failures), latest.lastReservedAt(), latest.lastReservationTook(),
				blocks.stream().map(BlockSnapshot::lastError).filter(Objects::nonNull).findFirst().orElse(null));
		return new ServerSnapshot(sum, all.stream().allMatch(ServerSnapshot::empty),
				all.stream().mapToLong(ServerSnapshot::issued).sum(),
				all.stream().map(ServerSnapshot::storeFailure).filter(Objects::nonNull).findFirst().orElse(null),
				all.stream().map(ServerSnapshot::terminal).filter(Objects::nonNull).findFirst().orElse(null));
	}

	private static long sum(List<BlockSnapshot> blocks, ToLongFunction<BlockSnapshot> count) {
		return blocks.stream().mapToLong(count).sum();
	}

	/**
	 * Close all at the same time, so that a store that does not answer costs its time
	 * once.
	 */
	@Override
	public void close() {
		StoreWorker.awaitAll(List.of(beginClose()), this.servers[0].waitTimeout());
	}

	CompletableFuture<?> beginClose() {
		return onAll(BlockServer::beginClose);
	}

	private CompletableFuture<?> onAll(Function<BlockServer, CompletableFuture<?>> call) {
		return CompletableFuture.allOf(List.of(this.servers).stream().map(call).toArray(CompletableFuture[]::new));
	}

}
