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
 * Stripes between the callers and the current block of an engine. They prevent contention
 * for each id between callers on different processors: a single counter is several times
 * slower as soon as a second thread uses it. A stripe holds a chunk of ordinals that was
 * cut from a block. Each <em>owned</em> stripe belongs to one platform thread, which
 * checks that it is the owner and then uses plain fields. <em>Shared</em>
 * {@linkplain SharedChunk chunks} are for virtual threads, which start and end by the
 * million, and for threads whose stripe has another owner.
 * <p>
 * Why no ordinal is handed out twice:
 * <ol>
 * <li>An ordinal is in at most one chunk. Atomic advances of the block's cursor cut the
 * chunks, and only a thread that may use a stripe fills it.</li>
 * <li>While the owner of a stripe lives, only the owner writes the fields of the stripe,
 * except {@code owner} itself. A thread can make only itself an owner, under the engine's
 * lock, and only of a stripe without one. So a thread that reads without the lock that it
 * is the owner has written that itself. The value stays until the thread dies or the
 * stripes are shut. If the thread reads any other value, the stripe is not its own.</li>
 * <li>A call is not reentrant: while it waits for the store, its thread runs nothing else
 * (it parks in {@code StoreAwait}). So the ordinals that it found in its stripe before
 * are still there afterwards.</li>
 * <li>The owner is the thread itself, not its id. Ids can be overridden, and only select
 * the stripe that a thread checks.</li>
 * <li>All actions of a thread happen before {@link Thread#isAlive()} returns
 * {@code false} for it. Owners are checked under the lock, and the next owner takes the
 * lock as well. So both threads see the stripe as the dead owner left it.</li>
 * <li>Threads take the ordinals of a shared chunk by atomic increments of its counter.
 * One thread creates the next chunk, and no other thread waits for it: a thread that
 * finds a chunk used up tries the next place, and finally the block. So a thread that is
 * suspended meanwhile blocks no other thread, and a virtual thread pins no carrier.</li>
 * <li>{@link #shut} removes the owners of the stripes, and replaces the shared chunks
 * with used-up chunks that have no successor. A thread that has passed its check by then
 * may finish its call, as if it had been slightly earlier. Therefore, ordinals in the
 * stripe of another living owner, or on their way there or into a shared place, are never
 * given back. Ordinals drained from the others can no longer be taken: drained chunks are
 * used up, stripes without an owner get no chunk, and a chunk that was created meanwhile
 * finds its place taken.</li>
 * <li>{@link #replace} puts new stripes in the places of those that were shut. A thread
 * that still reads an old stripe finds no owner there. It then claims under the lock,
 * where it sees the new stripe.</li>
 * </ol>
 * Why no ordinal is lost, except those that are in the stripes of living owners, or on
 * their way there, when the stripes are shut:
 * <ol>
 * <li>A stripe is filled only when it is used up. A chunk never extends beyond the rest
 * of its block.</li>
 * <li>A thread that finds no other ordinal {@link #reclaim reclaims} the shared stripes,
 * and the owned ones without a living owner. It does so before it waits or reports that
 * the key space is exhausted, and once more before it fails after an unsuccessful wait. A
 * chunk that is on its way into a shared place even then is left to the thread that puts
 * it there, and to later callers.</li>
 * <li>A living owner that takes no more ids strands the ordinals in its stripe, fewer
 * than {@value #LONGEST_CHUNK}. All stripes together hold no more than one block, of the
 * size that blocks had when the stripes were filled, which may have been larger than now.
 * That is a negligible share of the ordinals left to reserve: unless these are
 * {@link #LARGE many}, a stripe gets a single ordinal, which is taken at once. So every
 * key of a small key space is handed out.</li>
 * <li>Where the order of ordinals matters, there are no stripes.</li>
 * </ol>
 * Why no memory leaks: a thread finds its stripe by its id and holds no reference to it.
 * A stripe references its owner until a {@link #sweep} finds the owner dead, or the
 * stripes are shut.
 */
public final class Stripes {

	/**
	 * How many ordinals must be left to reserve for chunks to be cut: more than fifty
	 * times as many as all stripes hold on a machine with 32 processors.
	 */
	public static final long LARGE = 1L << 26;

	/** Longer chunks gain little. */
	private static final int LONGEST_CHUNK = 4_096;

	/** The minimum of each kind, large enough that threads seldom share one. */
	private static final int FEWEST = 64;

	private static final int STRIPES_PER_PROCESSOR = 4;

	/** How many shared stripes a thread tries before it takes from the block. */
	private static final int ATTEMPTS = 4;

	private final int count;

	/** How many ordinals must be left to reserve for chunks to be cut. */
	private final long plenty;

	private final Stripe[] owned;

	private final SharedChunk[] shared;

	/** Changes under the engine's lock. */
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
	 * @param plenty how many ordinals must be left to reserve for chunks to be cut
	 */
	public Stripes(int owned, int shared, long plenty) {
		this.count = owned + shared;
		this.plenty = plenty;
		this.owned = Stream.generate(Stripe::create).limit(Math.max(1, owned)).toArray(Stripe[]::new);
		this.shared = new SharedChunk[Math.max(1, shared)];
		this.shut = this.count == 0;
		Arrays.setAll(this.shared, (i) -> this.shut ? SharedChunk.last() : SharedChunk.usedUp());
		// loads the class now, rather than when a caller's stack is almost used up
		VirtualThreads.isVirtual(Thread.currentThread());
	}

	/**
	 * Create the stripes of a key space. There are none if it is small, or if its keys
	 * must be handed out in order.
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
	 * Return whether the calling thread, which has no stripe yet, could {@link #claim}
	 * one.
	 */
	public boolean isClaimable(Thread thread) {
		return Stripe.of(thread, this.owned).owner == null && !this.shut && !VirtualThreads.isVirtual(thread);
	}

	/**
	 * Make the calling thread the owner of a stripe. Call this under the engine's lock.
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
	 * @param source creates the successor of a used-up chunk
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
	 * @param reserved how many ordinals its block had when it was reserved
	 * @param remaining how many are left to reserve
	 */
	public int longestChunk(long reserved, long remaining) {
		return (remaining >= this.plenty) ? (int) Math.max(1, Math.min(LONGEST_CHUNK, reserved / this.count)) : 1;
	}

	/**
	 * Remove owners that are dead. Call this under the engine's lock.
	 * @return whether there are living owners
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
	 * Take all ordinals out of the stripes that have no living owner. Call this under the
	 * engine's lock.
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
	 * Stop all takes from the stripes. Call this under the engine's lock.
	 * @param drained receives the ordinals that can no longer be taken, including those
	 * in the stripe of the calling thread
	 * @return how many ordinals are in the other stripes, an {@link #left() estimate}
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
	 * Replace the stripes after they were {@link #shut}. A thread may still read its old
	 * stripe, which has no owner. Call this under the engine's lock.
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
	 * Return how many ordinals are in all stripes, an estimate. Each thread that is
	 * taking ordinals may make it wrong by a chunk. It is exact for threads whose last
	 * take happened before this call, as the memory model defines it.
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
	 * Return how many ordinals only living owners can take. An estimate like
	 * {@link #left()}. Call this under the engine's lock.
	 */
	public long leftToOwners() {
		sweep();
		return Arrays.stream(this.owned).filter((stripe) -> stripe.owner != null).mapToLong(Stripe::left).sum();
	}

	/**
	 * Return how many ordinals could be reclaimed. An estimate like {@link #left()}. Call
	 * this under the engine's lock.
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
