package dev.idspring.block;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import dev.idspring.block.stripe.SharedChunk;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the keys of an engine. They come from the stripe of the calling thread, from
 * a shared chunk (see {@link Stripes}), or from the blocks of the engine.
 */
final class StripedKeys implements KeySource, SharedChunk.Source {

	private static final OrdinalRange NOTHING = new OrdinalRange(0, 0);

	private final BlockEngine engine;

	private final Stripes stripes;

	private final KeySpace keySpace;

	private final Consumer<Stripe> filler = this::fill;

	StripedKeys(BlockEngine engine, KeySpace keySpace) {
		this.engine = engine;
		this.stripes = engine.stripes();
		this.keySpace = keySpace;
	}

	/**
	 * Take the next key, if necessary after claiming or filling a stripe, or adding a
	 * shared chunk. Callers first try the stripe or the shared chunk of their thread, and
	 * call this method only if they find no key there.
	 */
	@Override
	public long takeKey() {
		if (!this.stripes.areUseful()) {
			return this.keySpace.key(this.engine.take());
		}
		Deadline deadline = null;
		long key = takeKeyFromMemory();
		while (key == Stripe.NONE) {
			deadline = this.engine.awaitRefill(1, deadline);
			key = takeKeyFromMemory();
		}
		return key;
	}

	private long takeKeyFromMemory() {
		long key = takeKeyFromStripe(Thread.currentThread());
		if (key != Stripe.NONE) {
			return key;
		}
		long ordinal = this.engine.takeFromCurrent();
		return (ordinal != Block.NONE) ? this.keySpace.key(ordinal) : Stripe.NONE;
	}

	private long takeKeyFromStripe(Thread thread) {
		Stripe stripe = this.stripes.own(thread);
		if (stripe == null && this.stripes.isClaimable(thread)) {
			stripe = this.engine.claim();
		}
		return (stripe != null) ? stripe.take(this.filler) : this.stripes.takeShared(thread, this);
	}

	/**
	 * Cut a chunk from the current block, and put it into a stripe.
	 */
	private void fill(Stripe stripe) {
		OrdinalRange range = cut(stripe.size());
		if (!range.isEmpty()) {
			stripe.fill(range.start(), (int) range.size(), this.keySpace.key(range.start()), arithmeticRun(range));
			this.engine.refillIfHalfway(range.start(), (int) range.size());
		}
	}

	@Override
	public @Nullable SharedChunk after(SharedChunk previous) {
		OrdinalRange range = cut(previous.size());
		return range.isEmpty() ? null : previous.next(range, this.keySpace.key(range.start()), arithmeticRun(range));
	}

	@Override
	public void added(SharedChunk chunk) {
		this.engine.refillIfHalfway(chunk.start(), chunk.size());
	}

	/**
	 * Cut a chunk from the current block, without waiting for the next block. The chunk
	 * is about twice as long as the previous one, up to a maximum. So the stripe of a
	 * thread that takes few ordinals contains only a few.
	 * @param previousSize the size of the previous chunk
	 * @return the chunk, empty if the current block is used up
	 */
	private OrdinalRange cut(int previousSize) {
		Block block = this.engine.current();
		int wanted = Math.min(2 * previousSize + 1,
				this.stripes.longestChunk(block.reservedSize(), this.engine.remaining()));
		long start = block.takeUpTo(wanted);
		return (start != Block.NONE) ? new OrdinalRange(start, Math.min(start + wanted, block.end())) : NOTHING;
	}

	private ArithmeticRun arithmeticRun(OrdinalRange range) {
		return Objects.requireNonNull(this.keySpace.arithmeticRun(range.start()));
	}

	/**
	 * Fill an array with the next keys. If too few keys are available, take none. The
	 * keys in the stripe of the calling thread are first in the array, so that a thread
	 * that runs alone gets its keys in order.
	 */
	@Override
	public void takeKeys(long[] into) {
		Stripe stripe = this.stripes.own(Thread.currentThread());
		int fromStripe = (stripe != null) ? Math.min(stripe.left(), into.length) : 0;
		List<OrdinalRange> ranges = (fromStripe < into.length) ? this.engine.take(into.length - fromStripe, null)
				: List.of();
		if (stripe != null) {
			stripe.take(into, fromStripe);
		}
		KeySource.writeKeys(this.keySpace, ranges, into, fromStripe);
	}

}
