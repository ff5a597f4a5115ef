package dev.idspring.block.stripe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.util.List;

import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of consecutive ordinals (positions of ids in their key space) whose keys any
 * thread may take. A key costs one atomic addition. The rest is arithmetic on final
 * fields, so this is faster than a lock.
 * <ol>
 * <li>The counter of taken ordinals changes only by atomic additions, and {@link #drain}
 * takes all remaining ordinals at once. So no two threads get the same index below the
 * size.</li>
 * <li>Each chunk is a new object, so an index in a chunk always refers to the same
 * ordinal. Only the thread that has set {@link #replacing} replaces a used-up chunk with
 * the next one, and only if the used-up chunk is still in the array of current
 * chunks.</li>
 * <li>The key at index i is {@code (first + i * step) mod modulus}, plus the base.
 * {@code CoprimeCycle.Factor} explains how the product is computed.</li>
 * </ol>
 */
public class SharedChunk extends Padding {

	private static final VarHandle TAKEN;

	private static final VarHandle REPLACING;

	private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(SharedChunk[].class);

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			TAKEN = lookup.findVarHandle(SharedChunk.class, "taken", long.class);
			REPLACING = lookup.findVarHandle(SharedChunk.class, "replacing", boolean.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/** How many ordinals were taken. Failed attempts may raise this above the size. */
	private volatile long taken;

	@SuppressWarnings("unused") // accessed through its handle
	private volatile boolean replacing;

	private final int size;

	private final long base;

	private final long step;

	private final long modulus;

	/** The step times 2<sup>63</sup>, divided by the modulus. */
	private final long scaledStep;

	/** The first key minus the base. */
	private final long first;

	private final long start;

	private SharedChunk(OrdinalRange range, long firstKey, ArithmeticRun steps, long scaledStep) {
		this.start = range.start();
		this.size = (int) range.size();
		this.first = firstKey - steps.base();
		this.base = steps.base();
		this.step = steps.step();
		this.modulus = steps.modulus();
		this.scaledStep = scaledStep;
	}

	public static SharedChunk usedUp() {
		return new PaddedChunk(new OrdinalRange(0, 0), 0, new ArithmeticRun(0, 0, 1), 0);
	}

	/**
	 * Create a chunk that is used up and has no successor.
	 */
	public static SharedChunk last() {
		SharedChunk last = usedUp();
		last.replacing = true;
		return last;
	}

	/**
	 * Return the chunk that a thread tries first, which depends on the id of the thread.
	 * @param chunks an array whose length is a power of two
	 */
	static SharedChunk of(Thread thread, SharedChunk[] chunks) {
		return chunks[(int) thread.getId() & (chunks.length - 1)];
	}

	/**
	 * Create the chunk that follows this one.
	 * @param range the ordinals of the new chunk, all within one arithmetic run of the
	 * key space
	 * @param firstKey the key of the first ordinal
	 * @param steps the rule that yields the other keys
	 */
	public SharedChunk next(OrdinalRange range, long firstKey, ArithmeticRun steps) {
		boolean hasSameSteps = this.step == steps.step() && this.modulus == steps.modulus();
		return new PaddedChunk(range, firstKey, steps,
				hasSameSteps ? this.scaledStep
						: BigInteger.valueOf(steps.step())
							.shiftLeft(63)
							.divide(BigInteger.valueOf(steps.modulus()))
							.longValueExact());
	}

	/**
	 * Take a key if the calling thread is virtual. A platform thread gets no key here,
	 * because it may be able to claim a stripe of its own.
	 * @param thread the calling thread
	 * @param chunks an array whose length is a power of two
	 * @return the key, or {@link Stripe#NONE}
	 */
	public static long take(Thread thread, SharedChunk[] chunks) {
		return VirtualThreads.isVirtual(thread) ? of(thread, chunks).take() : Stripe.NONE;
	}

	/**
	 * Take the next key.
	 * @return the key, or {@link Stripe#NONE} if the chunk is used up
	 */
	long take() {
		// read the counter first, so that threads do not contend for a used-up chunk
		long index = (this.taken < this.size) ? (long) TAKEN.getAndAdd(this, 1L) : this.size;
		if (index >= this.size) {
			return Stripe.NONE;
		}
		long quotient = Math.multiplyHigh(index << 1, this.scaledStep);
		long residue = index * this.step - quotient * this.modulus;
		residue -= (residue >= this.modulus) ? this.modulus : 0;
		residue += this.first;
		return this.base + ((residue >= this.modulus) ? residue - this.modulus : residue);
	}

	/**
	 * Replace this used-up chunk with the next one, and take a key from the next one.
	 * @param chunks the array of the current chunks
	 * @param index the index of this chunk in the array
	 * @param source creates the next chunk
	 * @return the key, or {@link Stripe#NONE} if this thread gets none, for example
	 * because another thread is creating the next chunk
	 */
	long takeFromNext(SharedChunk[] chunks, int index, Source source) {
		if (!REPLACING.compareAndSet(this, false, true)) {
			return Stripe.NONE;
		}
		SharedChunk next = null;
		try {
			next = source.after(this);
		}
		finally {
			if (next == null) {
				this.replacing = false;
			}
		}
		if (next == null || !ELEMENTS.compareAndSet(chunks, index, this, next)) {
			return Stripe.NONE;
		}
		long key = next.take();
		source.added(next);
		return key;
	}

	/**
	 * Return the chunk at an index, with the memory effects of a volatile read.
	 */
	static SharedChunk at(SharedChunk[] chunks, int index) {
		return (SharedChunk) ELEMENTS.getVolatile(chunks, index);
	}

	/**
	 * Replace the chunk at an index, even if the new chunk is not its successor.
	 * @return the chunk that was replaced
	 */
	static SharedChunk replace(SharedChunk[] chunks, int index, SharedChunk chunk) {
		return (SharedChunk) ELEMENTS.getAndSet(chunks, index, chunk);
	}

	public long start() {
		return this.start;
	}

	public int size() {
		return this.size;
	}

	public long left() {
		return Math.max(0, this.size - this.taken);
	}

	/**
	 * Take all remaining ordinals, without computing their keys.
	 * @param drained receives the ordinals
	 */
	void drain(List<OrdinalRange> drained) {
		long taken = (long) TAKEN.getAndAdd(this, (long) this.size);
		if (taken < this.size) {
			drained.add(new OrdinalRange(this.start + taken, this.start + this.size));
		}
	}

	/**
	 * Creates the successors of used-up chunks.
	 */
	public interface Source {

		/**
		 * Create the successor of a used-up chunk, without waiting.
		 * @param previous the chunk that is used up
		 * @return the successor, or {@code null} if no ordinals are available without
		 * waiting
		 */
		@Nullable SharedChunk after(SharedChunk previous);

		/**
		 * Called after a new chunk was put into the array of current chunks, where other
		 * threads can take from it.
		 */
		void added(SharedChunk chunk);

	}

	/**
	 * Adds padding after the fields, so that the counters of two chunks share no cache
	 * line.
	 */
	private static final class PaddedChunk extends SharedChunk {

		@SuppressWarnings("unused")
		long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

		PaddedChunk(OrdinalRange range, long firstKey, ArithmeticRun steps, long scaledStep) {
			super(range, firstKey, steps, scaledStep);
		}

	}

}
