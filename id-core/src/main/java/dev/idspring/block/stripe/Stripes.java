package dev.idspring.block.stripe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * Stripes between the callers and the current block of an engine, so that callers on
 * different processors do not contend for each id: a single counter is several times
 * slower as soon as a second thread counts with it. A stripe holds a chunk of ordinals
 * that was cut from a block. <em>Owned</em> stripes belong to one platform thread each,
 * which looks whether it is the owner and takes with plain fields. <em>Shared</em>
 * {@linkplain SharedChunk chunks} are for virtual threads, which come and go by the
 * million, and for threads that find their stripe taken.
 * <p>
 * Why no ordinal leaves twice:
 * <ol>
 * <li>An ordinal is in one chunk at most: chunks are cut from a block by the atomic moves
 * of its cursor, and put into a stripe by a thread that may use it.</li>
 * <li>All but the owner of an owned stripe is written by its owner alone, as long as that
 * lives. Only a thread itself makes itself an owner, under the guard of the engine, of a
 * stripe that has none. So a thread that reads, without the lock, that it is the owner,
 * has written that itself, and it stays so until the thread dies or the stripes are shut.
 * Whatever else it reads there means that the stripe is not its own.</li>
 * <li>A call is not reentrant: while it waits for the store it runs nothing else (it
 * parks in {@code StoreAwait}). So what it has found in its stripe before is still there
 * afterwards.</li>
 * <li>The owner is the thread itself, not its number: numbers can be overridden, and only
 * decide where a thread looks.</li>
 * <li>All that a thread did happened before {@link Thread#isAlive()} is found to be
 * {@code false}. Owners are looked at under the lock, and the next thread takes the lock
 * as well, so they see what the dead one left.</li>
 * <li>What is in a shared chunk is taken by atomic moves of its counter. One thread makes
 * the next chunk, and no other waits for it: a thread that finds a chunk used up takes
 * the next one, and after that the block. So a thread that is suspended meanwhile stops
 * no other, and a virtual thread pins nothing.</li>
 * <li>{@link #shut} takes the stripes from their owners, and puts chunks in the places of
 * the shared ones that none follows. Who has looked by then may finish its call, as if it
 * had been a little faster. What was in the stripe of another living owner, or on its way
 * there or into a shared place, is therefore never given back. What is drained from the
 * others cannot be taken any more: drained chunks are used up, stripes without an owner
 * get none, and a chunk that was made meanwhile finds its place taken.</li>
 * <li>{@link #replace} puts new stripes into the places of those that were shut. A thread
 * that still finds an old one finds no owner there, and claims under the lock, where it
 * sees the new one.</li>
 * </ol>
 * Why no ordinal is lost, but for those that living owners have in their stripes, or are
 * about to have, when these are shut:
 * <ol>
 * <li>A chunk is put into a stripe that is used up, and is as small as what was left of
 * its block.</li>
 * <li>What is in other stripes than those of living owners is {@link #reclaim reclaimed}
 * by a thread that finds no other ordinal, before it waits or learns that the key space
 * is used up, and once more before a thread that waited in vain fails. What is on its way
 * into a shared place even then is left to the thread that puts it there, and to those
 * who come later.</li>
 * <li>Living owners who ask for no more strand what is in their stripes. That is less
 * than {@value #LONGEST_CHUNK} for each; all stripes together hold no more than a block,
 * of the size that blocks had when they were filled, which may have been larger than it
 * is now. It is next to nothing of what is left to reserve: unless that is {@link #LARGE
 * much}, stripes are filled with a single ordinal, which is taken at once. So of a small
 * key space every key comes out.</li>
 * <li>Where the order of ordinals means something there are no stripes.</li>
 * </ol>
 * Why nothing stays behind: a thread finds its stripe by its number and knows nothing of
 * it. A stripe knows its owner until that is dead and {@link #sweep swept}, or the
 * stripes are shut.
 */
public final class Stripes {

	/**
	 * How many ordinals there must be left to reserve for chunks to be cut: more than
	 * fifty times as many as all stripes hold on a machine of 32 processors.
	 */
	public static final long LARGE = 1L << 26;

	/** There is little to gain from longer ones. */
	private static final int LONGEST_CHUNK = 4_096;

	/** Of each kind: so many that threads seldom meet in one. */
	private static final int FEWEST = 64;

	private static final int STRIPES_PER_PROCESSOR = 4;

	/** How many shared stripes a thread tries before it turns to the block. */
	private static final int ATTEMPTS = 4;

	private final int count;

	/** How many ordinals there must be left to reserve for chunks to be cut. */
	private final long plenty;

	private final Stripe[] owned;

	private final SharedChunk[] shared;

	/** Becomes true under the guard of the engine. */
	private volatile boolean shut;

	/**
	 * Create stripes.
	 * @param owned how many may have an owner, a power of two
	 * @param shared how many have none, a power of two
	 */
	public Stripes(int owned, int shared) {
		this(owned, shared, LARGE);
	}

	/**
	 * Create stripes.
	 * @param owned how many may have an owner, a power of two
	 * @param shared how many have none, a power of two
	 * @param plenty how many ordinals there must be left to reserve for chunks to be cut
	 */
	public Stripes(int owned, int shared, long plenty) {
		this.count = owned + shared;
		this.plenty = plenty;
		this.owned = Stream.generate(Stripe::create).limit(Math.max(1, owned)).toArray(Stripe[]::new);
		this.shared = new SharedChunk[Math.max(1, shared)];
		this.shut = this.count == 0;
		Arrays.setAll(this.shared, (i) -> this.shut ? SharedChunk.last() : SharedChunk.usedUp());
		// here, as its class must not be loaded when the stack of a caller is almost used
		VirtualThreads.isVirtual(Thread.currentThread());
	}

	/**
	 * Create the stripes of a key space, which are of no use if it is small, or if its
	 * keys are to be handed out in order.
	 */
	public static Stripes of(KeySpace keySpace) {
		if (keySpace.capacity() < LARGE || keySpace.arithmeticRun(0) == null) {
			return none();
		}
		int forProcessors = Integer.highestOneBit(STRIPES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
		int count = Math.max(FEWEST, forProcessors);
		return new Stripes(count, count);
	}

	public static Stripes none() {
		return new Stripes(0, 0, Long.MAX_VALUE);
	}

	/**
	 * Return whether there have ever been stripes to take from.
	 */
	public boolean areUseful() {
		return this.count > 0;
	}

	/**
	 * Return the stripes that may have owners, always the same array.
	 */
	public Stripe[] owned() {
		return this.owned;
	}

	/**
	 * Return the places of shared chunks, always the same array.
	 */
	public SharedChunk[] shared() {
		return this.shared;
	}

	/**
	 * Return the stripe of the calling thread.
	 * @return its stripe, or {@code null} if it has none
	 */
	public @Nullable Stripe own(Thread thread) {
		Stripe stripe = Stripe.of(thread, this.owned);
		return (stripe.owner == thread) ? stripe : null;
	}

	/**
	 * Return whether the calling thread could {@link #claim} a stripe, which it has not
	 * got yet.
	 */
	public boolean isClaimable(Thread thread) {
		return Stripe.of(thread, this.owned).owner == null && !this.shut && !VirtualThreads.isVirtual(thread);
	}

	/**
	 * Make the calling thread the owner of a stripe. Call this under the lock of the
	 * engine.
	 * @return the stripe, or {@code null} if it was taken meanwhile, or the stripes are
	 * shut
	 */
	public @Nullable Stripe claim(Thread thread) {
		Stripe stripe = Stripe.of(thread, this.owned);
		if (this.shut || stripe.owner != null) {
			return null;
		}
		stripe.owner = thread;
		return stripe;
	}

	/**
	 * Take the next key from a shared stripe, without waiting.
	 * @param source makes the chunk after one that is used up
	 * @return the key, or {@link Stripe#NONE}
	 */
	public long takeShared(Thread thread, SharedChunk.Source source) {
		int first = (int) thread.getId();
		for (int i = first; i < first + Math.min(ATTEMPTS, this.shared.length); i++) {
			int place = i & (this.shared.length - 1);
			SharedChunk chunk = this.shared[place];
			long key = chunk.take();
			if (key == Stripe.NONE) {
				key = chunk.takeFromNext(this.shared, place, source);
			}
			if (key != Stripe.NONE) {
				return key;
			}
		}
		return Stripe.NONE;
	}

	/**
	 * Return how many ordinals a chunk may have.
	 * @param reserved how many the block had from which it is cut
	 * @param remaining how many are left to reserve
	 */
	public int longestChunk(long reserved, long remaining) {
		return (remaining >= this.plenty) ? (int) Math.max(1, Math.min(LONGEST_CHUNK, reserved / this.count)) : 1;
	}

	/**
	 * Forget owners that are dead. Call this under the guard of the engine.
	 * @return whether there are others
	 */
	public boolean sweep() {
		boolean others = false;
		for (Stripe stripe : this.owned) {
			Thread owner = stripe.owner;
			if (owner != null && owner.isAlive()) {
				others = true;
			}
			else if (owner != null) {
				stripe.owner = null;
			}
		}
		return others;
	}

	/**
	 * Take everything out of the stripes that do not belong to living owners. Call this
	 * under the guard of the engine.
	 */
	public List<OrdinalRange> reclaim() {
		List<OrdinalRange> drained = new ArrayList<>();
		if (this.shut) {
			return drained;
		}
		sweep();
		for (Stripe stripe : this.owned) {
			if (stripe.owner == null) {
				stripe.drain(drained);
			}
		}
		sharedNow().forEach((chunk) -> chunk.drain(drained));
		return drained;
	}

	/**
	 * Stop all takes from the stripes. Call this under the guard of the engine.
	 * @param drained receives what can no longer be taken; that includes what is in the
	 * stripe of the calling thread
	 * @return how many ordinals are in the other stripes, a {@link #left() guess}
	 */
	public long shut(List<OrdinalRange> drained) {
		if (this.shut) {
			return 0;
		}
		sweep();
		this.shut = true;
		for (Stripe stripe : this.owned) {
			Thread owner = stripe.owner;
			stripe.owner = null;
			if (owner == null || owner == Thread.currentThread()) {
				stripe.drain(drained);
			}
		}
		for (int i = 0; i < this.shared.length; i++) {
			SharedChunk.replace(this.shared, i, SharedChunk.last()).drain(drained);
		}
		return left(this.owned);
	}

	/**
	 * Begin again with other stripes, after they were {@link #shut}. A thread may still
	 * find the one that was in its place: that has no owner. Call this under the lock of
	 * the engine.
	 */
	public void replace() {
		if (areUseful()) {
			Arrays.setAll(this.owned, (i) -> Stripe.create());
			IntStream.range(0, this.shared.length)
				.forEach((i) -> SharedChunk.replace(this.shared, i, SharedChunk.usedUp()));
			this.shut = false;
		}
	}

	/**
	 * Return how many ordinals there are in all stripes. For each thread that is taking
	 * some at the moment this may be wrong by a chunk, for others it is right if they
	 * have stopped before, in the sense of the memory model.
	 */
	public long left() {
		return this.shut ? 0 : left(this.owned) + leftShared();
	}

	private static long left(Stripe[] stripes) {
		return Arrays.stream(stripes).mapToLong(Stripe::left).sum();
	}

	private long leftShared() {
		return sharedNow().mapToLong(SharedChunk::left).sum();
	}

	private Stream<SharedChunk> sharedNow() {
		return IntStream.range(0, this.shared.length).mapToObj((i) -> SharedChunk.at(this.shared, i));
	}

	/**
	 * Return how many ordinals only living owners can take. As good a guess as
	 * {@link #left()}. Call this under the guard of the engine.
	 */
	public long leftToOwners() {
		sweep();
		return Arrays.stream(this.owned).filter((stripe) -> stripe.owner != null).mapToLong(Stripe::left).sum();
	}

	/**
	 * Return how many ordinals could be reclaimed. As good a guess as {@link #left()}.
	 * Call this under the guard of the engine.
	 */
	public long leftToOthers() {
		if (this.shut) {
			return 0;
		}
		sweep();
		return leftShared()
				+ Arrays.stream(this.owned).filter((stripe) -> stripe.owner == null).mapToLong(Stripe::left).sum();
	}

}
