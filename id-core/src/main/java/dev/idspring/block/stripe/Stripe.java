package dev.idspring.block.stripe;

import java.util.List;
import java.util.function.Consumer;

import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * Holds a chunk of consecutive ordinals (positions of ids in their key space) for one
 * thread, the {@link #owner}. The owner takes the keys in order from plain fields,
 * without atomic operations. {@link Stripes} ensures that no other thread takes from the
 * stripe.
 */
public class Stripe extends Padding {

	public static final long NONE = -1;

	/**
	 * The only thread that may take from the stripe, or {@code null} if there is none.
	 */
	volatile @Nullable Thread owner;

	/**
	 * How many ordinals are left. This is an int, because other threads read it while the
	 * owner changes it, and reads of a long need not be atomic.
	 */
	private int left;

	/** How many ordinals the last chunk had. */
	private int size;

	/**
	 * The next key minus {@link #base}. From key to key, this number increases by a
	 * constant step, modulo {@link #modulus}.
	 */
	private long residue;

	private long base;

	private long modulus;

	/**
	 * The modulus minus the step. Subtracting the gap is the same as adding the step,
	 * modulo the modulus.
	 */
	private long gap;

	/** The first ordinal after the chunk. */
	private long end;

	/**
	 * Create a stripe whose fields have their default values. So a thread that reads the
	 * reference to a new stripe without a lock sees a stripe without an owner.
	 */
	private Stripe() {
	}

	static Stripe create() {
		return new PaddedStripe();
	}

	/**
	 * Return the only stripe that a thread may own, even if the stripe has another owner
	 * or none.
	 * @param stripes an array whose length is a power of two
	 */
	public static Stripe of(Thread thread, Stripe[] stripes) {
		return stripes[(int) thread.getId() & (stripes.length - 1)];
	}

	/**
	 * Return whether a thread may call {@link #next}.
	 */
	public boolean isReadyFor(Thread thread) {
		return this.owner == thread && this.left > 0;
	}

	/**
	 * Take the next key. At least one key must be left.
	 */
	public long next() {
		this.left--;
		return step();
	}

	private long step() {
		long residue = this.residue;
		long next = residue - this.gap;
		// without a branch, because processors cannot predict when the residue wraps
		// around
		this.residue = next + ((next >> 63) & this.modulus);
		return this.base + residue;
	}

	/**
	 * Take the next key. If the chunk is used up, fill the stripe first.
	 * @param filler puts another chunk into this stripe, if one is available
	 * @return the key, or {@link #NONE} if no other chunk is available
	 */
	public long take(Consumer<Stripe> filler) {
		if (this.left == 0) {
			filler.accept(this);
		}
		return (this.left > 0) ? next() : NONE;
	}

	/**
	 * Take the next keys. At least {@code count} keys must be left.
	 * @param into receives the keys, from index 0
	 * @param count how many keys to take
	 */
	public void take(long[] into, int count) {
		this.left -= count;
		for (int i = 0; i < count; i++) {
			into[i] = step();
		}
	}

	public int left() {
		return this.left;
	}

	/**
	 * Return how many ordinals the last chunk had.
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Put a chunk into the stripe, which must be used up.
	 * @param start the first ordinal
	 * @param count how many ordinals the chunk has, all within one arithmetic run of the
	 * key space
	 * @param firstKey the key of the first ordinal
	 * @param steps the rule that yields the other keys
	 */
	public void fill(long start, int count, long firstKey, ArithmeticRun steps) {
		this.size = count;
		this.end = start + count;
		this.base = steps.base();
		this.modulus = steps.modulus();
		this.gap = steps.modulus() - steps.step();
		this.residue = firstKey - steps.base();
		this.left = count;
	}

	/**
	 * Take all remaining ordinals, without computing their keys.
	 * @param drained receives the ordinals
	 */
	void drain(List<OrdinalRange> drained) {
		if (this.left > 0) {
			drained.add(new OrdinalRange(this.end - this.left, this.end));
			this.left = 0;
		}
	}

	/**
	 * Adds padding after the fields, so that the stripes of two threads share no cache
	 * line.
	 */
	private static final class PaddedStripe extends Stripe {

		@SuppressWarnings("unused")
		long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

	}

}
