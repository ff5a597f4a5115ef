package dev.idspring.block.stripe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.util.List;

import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of consecutive ordinals for any thread. A key costs one atomic addition, and no
 * load that has to wait for another one: no processor looks beyond an atomic operation,
 * so a guard with plain fields behind it would take twice as long.
 * <ol>
 * <li>The counter only rises, by atomic operations, and {@link #drain} takes all at once:
 * so an index below the size is one thread's alone.</li>
 * <li>What an index stands for never changes: another chunk is another object. It takes
 * the place of one that is used up, put there by the one thread that has set
 * {@link #replacing}, unless the place has been given to yet another one.</li>
 * <li>The key at an index i is {@code (first + i * step) mod modulus}, the product by the
 * method that {@code CoprimeCycle.Factor} explains.</li>
 * </ol>
 */
public class SharedChunk extends Padding {

	private static final VarHandle TAKEN;

	private static final VarHandle REPLACING;

	private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(SharedChunk[].class);

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

	/** How many were taken; more than there are by takes that failed. */
	private volatile long taken;

	@SuppressWarnings("unused") // by way of its handle
	private volatile boolean replacing;

	private final int size;

	private final long base;

	private final long step;

	private final long modulus;

	/** The step times 2<sup>63</sup>, divided by the modulus. */
	private final long scaledStep;

	/** The first key, less the base. */
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

	/**
	 * Create a chunk that is used up.
	 */
	public static SharedChunk usedUp() {
		return new PaddedChunk(new OrdinalRange(0, 0), 0, new ArithmeticRun(0, 0, 1), 0);
	}

	/**
	 * Create a chunk that is used up, and that no other one follows.
	 */
	public static SharedChunk last() {
		SharedChunk last = usedUp();
		last.replacing = true;
		return last;
	}

	/**
	 * Return the chunk where a thread looks first.
	 * @param chunks as many as a power of two
	 */
	static SharedChunk of(Thread thread, SharedChunk[] chunks) {
		return chunks[(int) thread.getId() & (chunks.length - 1)];
	}

	/**
	 * Create the chunk that follows this one.
	 * @param range its ordinals, all of one stretch of the key space
	 * @param firstKey the key of the first one
	 * @param steps how the others follow
	 */
	public SharedChunk next(OrdinalRange range, long firstKey, ArithmeticRun steps) {
		boolean same = this.step == steps.step() && this.modulus == steps.modulus();
		return new PaddedChunk(range, firstKey, steps,
				same ? this.scaledStep
						: BigInteger.valueOf(steps.step())
							.shiftLeft(63)
							.divide(BigInteger.valueOf(steps.modulus()))
							.longValueExact());
	}

	/**
	 * Take a key for a thread, which only virtual ones find here.
	 * @param thread the calling thread
	 * @param chunks the places of all chunks
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
		// looks first, so that threads do not meet in a chunk that stays used up
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
	 * Take the next key of the chunk that follows this one, which is used up.
	 * @param places where this one is
	 * @param place where in there
	 * @param source makes the next one
	 * @return the key, or {@link Stripe#NONE} if there is none, or another thread is
	 * about to make it
	 */
	long takeFromNext(SharedChunk[] places, int place, Source source) {
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
		if (next == null || !PLACES.compareAndSet(places, place, this, next)) {
			return Stripe.NONE;
		}
		long key = next.take();
		source.put(next);
		return key;
	}

	/**
	 * Return the chunk at a place, whatever another thread has put there before.
	 */
	static SharedChunk at(SharedChunk[] places, int place) {
		return (SharedChunk) PLACES.getVolatile(places, place);
	}

	/**
	 * Replace the chunk at a place, also by one that does not follow it.
	 */
	static SharedChunk replace(SharedChunk[] places, int place, SharedChunk chunk) {
		return (SharedChunk) PLACES.getAndSet(places, place, chunk);
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
	 * Take all ordinals that are left, without their keys.
	 */
	void drain(List<OrdinalRange> drained) {
		long taken = (long) TAKEN.getAndAdd(this, (long) this.size);
		if (taken < this.size) {
			drained.add(new OrdinalRange(this.start + taken, this.start + this.size));
		}
	}

	/**
	 * What makes chunks.
	 */
	public interface Source {

		/**
		 * Make the chunk that follows another one, without waiting.
		 * @param last one that is used up
		 * @return a chunk, or {@code null} if there are no ordinals for it at hand
		 */
		@Nullable SharedChunk after(SharedChunk last);

		/**
		 * Note that a chunk has got to its place.
		 */
		void put(SharedChunk chunk);

	}

	/**
	 * Keeps the counters of two chunks out of one cache line.
	 */
	private static final class PaddedChunk extends SharedChunk {

		@SuppressWarnings("unused")
		long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

		PaddedChunk(OrdinalRange range, long firstKey, ArithmeticRun steps, long scaledStep) {
			super(range, firstKey, steps, scaledStep);
		}

	}

}
