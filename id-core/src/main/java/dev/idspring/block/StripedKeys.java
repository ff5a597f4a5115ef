package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.idspring.block.stripe.SharedChunk;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreWorker.Planned;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the keys of a server: from the stripe of the calling thread, from a shared
 * one, or from the current block.
 */
final class StripedKeys implements KeySource, SharedChunk.Source {

	private static final Supplier<Duration> SWEEP_INTERVAL = () -> Duration.ofMinutes(1);

	private static final OrdinalRange NOTHING = new OrdinalRange(0, 0);

	private final BlockServer server;

	private final BlockReserver reserver;

	private final Stripes stripes;

	private final KeySpace keySpace;

	private final Planned sweeping;

	private final Consumer<Stripe> filler = this::fill;

	private final Supplier<@Nullable Stripe> claiming = this::claimStripe;

	StripedKeys(BlockServer server) {
		this.server = server;
		this.reserver = server.reserver;
		this.stripes = server.queue.stripes;
		this.keySpace = server.context.opened().keySpace();
		this.sweeping = this.reserver.worker.planned(this::sweep);
	}

	/**
	 * Take the next key, when the stripe of the calling thread has none.
	 */
	@Override
	public long takeKey() {
		if (!this.stripes.areUseful()) {
			return this.keySpace.key(this.server.take());
		}
		Deadline deadline = null;
		long key = takeKeyFromMemory();
		while (key == Stripe.NONE) {
			deadline = this.server.awaitRefill(1, deadline);
			key = takeKeyFromMemory();
		}
		return key;
	}

	private long takeKeyFromMemory() {
		long key = takeKeyFromStripe(Thread.currentThread());
		if (key != Stripe.NONE) {
			return key;
		}
		long ordinal = this.server.takeFromCurrent();
		return (ordinal != Block.NONE) ? this.keySpace.key(ordinal) : Stripe.NONE;
	}

	private long takeKeyFromStripe(Thread thread) {
		Stripe stripe = this.stripes.own(thread);
		if (stripe == null && this.stripes.isClaimable(thread)) {
			stripe = this.server.guard.call(this.claiming);
		}
		return (stripe != null) ? stripe.take(this.filler) : this.stripes.takeShared(thread, this);
	}

	private @Nullable Stripe claimStripe() {
		Stripe stripe = this.stripes.claim(Thread.currentThread());
		if (stripe != null) {
			planSweep();
		}
		return stripe;
	}

	/**
	 * Forget dead owners of stripes before long, also if nothing is reserved any more.
	 */
	private void planSweep() {
		this.sweeping.plan(SWEEP_INTERVAL);
	}

	private void sweep() {
		if (this.server.guard.call(() -> this.stripes.sweep())) {
			planSweep();
		}
	}

	/**
	 * Put a chunk into a stripe.
	 */
	private void fill(Stripe stripe) {
		OrdinalRange range = cut(stripe.size());
		if (!range.isEmpty()) {
			stripe.fill(range.start(), (int) range.size(), this.keySpace.key(range.start()), steps(range));
			refillIfHalfway(range.start(), (int) range.size());
		}
	}

	@Override
	public @Nullable SharedChunk after(SharedChunk last) {
		OrdinalRange range = cut(last.size());
		return range.isEmpty() ? null : last.next(range, this.keySpace.key(range.start()), steps(range));
	}

	@Override
	public void put(SharedChunk chunk) {
		refillIfHalfway(chunk.start(), chunk.size());
	}

	/**
	 * Cut a chunk from the current block, without waiting for the next block: twice as
	 * long as the last one, so that a thread which takes few holds few.
	 */
	private OrdinalRange cut(int last) {
		Block block = this.server.queue.current();
		int wanted = Math.min(2 * last + 1, this.stripes.longestChunk(block.reserved(), this.reserver.remaining()));
		long start = block.takeUpTo(wanted);
		return (start != Block.NONE) ? new OrdinalRange(start, Math.min(start + wanted, block.end())) : NOTHING;
	}

	private ArithmeticRun steps(OrdinalRange range) {
		return Objects.requireNonNull(this.keySpace.steps(range.start()));
	}

	/**
	 * Reserve another block if that is due, now that a chunk can be seen where it is. If
	 * the current block is another one meanwhile, that has been done.
	 */
	private void refillIfHalfway(long start, int count) {
		if (this.server.queue.current().isHalfway(start, count)) {
			this.server.refill();
		}
	}

	/**
	 * Take several keys, all or none: first what is left in the stripe of the calling
	 * thread, so that a thread which is alone gets them in order.
	 */
	@Override
	public void takeKeys(long[] into) {
		Stripe stripe = this.stripes.own(Thread.currentThread());
		int done = (stripe != null) ? Math.min(stripe.left(), into.length) : 0;
		List<OrdinalRange> ranges = (done < into.length) ? this.server.take(into.length - done) : List.of();
		if (stripe != null) {
			stripe.take(into, done);
		}
		for (OrdinalRange range : ranges) {
			int count = (int) range.size();
			this.keySpace.keys(range.start(), into, done, count);
			done += count;
		}
	}

}
