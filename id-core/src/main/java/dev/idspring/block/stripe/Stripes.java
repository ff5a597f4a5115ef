package dev.idspring.block.stripe;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * Distributes ordinals (positions of ids in their key space) to the threads that draw
 * ids, without contention between threads on different processors. A single counter would
 * become several times slower as soon as a second thread uses it.
 * <p>
 * An engine reserves blocks of ordinals, and cuts chunks from the current block. Each
 * <em>owned</em> {@linkplain Stripe stripe} holds a chunk for one platform thread. That
 * thread checks that it is the owner, and then uses plain fields. Any thread may take
 * from the <em>shared</em> {@linkplain SharedChunk chunks}. Virtual threads use these
 * chunks, because there may be millions of short-lived virtual threads. Platform threads
 * use these chunks if their stripe has another owner.
 * <p>
 * No ordinal is handed out twice. Ordinals are lost only when the stripes are shut. A
 * comment in the source of this class explains why, and lists the lost ordinals.
 * <p>
 * There is no memory leak, because threads hold no references to stripes. A stripe
 * references its owner until {@link #sweep} finds that the owner is dead, or the stripes
 * are shut.
 */
public final class Stripes {

	// Why no ordinal is handed out twice:
	//
	// 1. An ordinal is in at most one chunk. Chunks are cut from a block by advancing its
	// cursor atomically. Only a thread that may take from a stripe fills it.
	//
	// 2. While the owner of a stripe lives, only the owner writes the fields of the
	// stripe, except the field "owner". A thread can make only itself an owner, under the
	// engine's lock, and only of a stripe without an owner. So if a thread reads without
	// the lock that it is the owner, the thread has written that value itself. The value
	// remains until the thread dies or the stripes are shut. A thread that reads any
	// other value does not own the stripe.
	//
	// 3. No call is reentrant. A thread that waits for the store is parked in StoreAwait,
	// and runs nothing else. So the ordinals that the thread found in its stripe before
	// the wait are still there afterwards.
	//
	// 4. The owner is the Thread object, not the thread id, because subclasses can
	// override the id. The id only selects the stripe that a thread checks.
	//
	// 5. All actions of a thread happen before Thread.isAlive() returns false for it.
	// Owners are checked under the lock, and the next owner takes the lock, too. So both
	// the checking thread and the next owner see the stripe as the dead owner left it.
	//
	// 6. Threads take the ordinals of a shared chunk by atomic increments of its counter.
	// One thread creates the next chunk, and no other thread waits for it. A thread that
	// finds a chunk used up tries the shared chunks at the next indexes, and finally the
	// block. So a thread that is suspended while it creates a chunk blocks no other
	// thread, and a virtual thread does not pin its carrier.
	//
	// 7. shut() removes the owners of the stripes, and replaces the shared chunks with
	// used-up chunks that have no successor. A thread that has already passed its check
	// may finish its call, as if the call had been slightly earlier.
	// - Two kinds of ordinals are never given back: those in the stripe of a living owner
	// other than the thread that calls shut(), and those in a chunk that is cut but not
	// yet in a stripe or among the shared chunks.
	// - All other ordinals are drained. No thread can take them afterwards, because
	// drained chunks are used up, and stripes without an owner get no chunk.
	// - A chunk that is created during shut() is not added to the shared chunks, because
	// the chunk that it would replace is no longer among them.
	//
	// 8. replace() replaces the stripes that were shut with new ones. A thread that still
	// reads an old stripe finds no owner there. It then claims a stripe under the lock,
	// where it sees the new one.
	//
	// Why no ordinal is lost, apart from the two kinds in item 7:
	//
	// 1. A stripe is filled only when it is used up. A chunk never extends beyond the end
	// of its block.
	//
	// 2. A thread that finds no other ordinal reclaims those in shared chunks, and those
	// in stripes without a living owner. It does so before it waits, before it reports
	// that the key space is exhausted, and before it fails after an unsuccessful wait.
	// Ordinals in a chunk that another thread has cut, but not yet put among the shared
	// chunks, remain available to that thread and to later callers.
	//
	// 3. If a living owner takes no more ids, no other thread can take the ordinals in
	// its stripe. These are fewer than LONGEST_CHUNK. All stripes together hold at most
	// as many ordinals as a block had when the stripes were filled. Chunks of several
	// ordinals are cut only while at least MIN_REMAINING_FOR_CHUNKS ordinals can still be
	// reserved, so stripes hold a negligible share of the key space. After that, a stripe
	// gets a single ordinal, which is taken at once. So every key of a small key space
	// can be handed out.
	//
	// 4. If ordinals must be handed out in order, there are no stripes.

	/**
	 * Chunks of several ordinals are cut only while at least this many ordinals of the
	 * key space can still be reserved. This is more than fifty times what all stripes
	 * together can hold on a machine with 32 processors.
	 */
	public static final long MIN_REMAINING_FOR_CHUNKS = 1L << 26;

	/** The maximum size of a chunk. Larger chunks would hardly be faster. */
	private static final int LONGEST_CHUNK = 4_096;

	/**
	 * The minimum number of owned stripes and of shared chunks, large enough that two
	 * threads seldom select the same one.
	 */
	private static final int MIN_STRIPES = 64;

	private static final int STRIPES_PER_PROCESSOR = 4;

	/** How many shared chunks a thread tries before it takes from the block. */
	private static final int ATTEMPTS = 4;

	private final int count;

	private final long minRemainingForChunks;

	private final Stripe[] owned;

	private final SharedChunk[] shared;

	/** Written only under the engine's lock. */
	private volatile boolean shut;

	/**
	 * Create stripes.
	 * @param owned how many stripes may have an owner, a power of two or zero
	 * @param shared how many shared chunks there are, a power of two or zero
	 */
	public Stripes(int owned, int shared) {
		this(owned, shared, MIN_REMAINING_FOR_CHUNKS);
	}

	/**
	 * Create stripes.
	 * @param owned how many stripes may have an owner, a power of two or zero
	 * @param shared how many shared chunks there are, a power of two or zero
	 * @param minRemainingForChunks chunks of several ordinals are cut only while at least
	 * this many ordinals can still be reserved
	 */
	public Stripes(int owned, int shared, long minRemainingForChunks) {
		this.count = owned + shared;
		this.minRemainingForChunks = minRemainingForChunks;
		this.owned = new Stripe[Math.max(1, owned)];
		this.shared = new SharedChunk[Math.max(1, shared)];
		this.shut = this.count == 0;
		for (int i = 0; i < this.owned.length; i++) {
			this.owned[i] = Stripe.create();
		}
		for (int i = 0; i < this.shared.length; i++) {
			this.shared[i] = this.shut ? SharedChunk.last() : SharedChunk.usedUp();
		}
		// load VirtualThreads now, because a caller may have little stack left
		VirtualThreads.isVirtual(Thread.currentThread());
	}

	/**
	 * Create the stripes for a key space. There are none if the key space is small, or if
	 * its keys must be handed out in order.
	 */
	public static Stripes of(KeySpace keySpace) {
		if (keySpace.capacity() < MIN_REMAINING_FOR_CHUNKS || keySpace.arithmeticRun(0) == null) {
			return none();
		}
		int forProcessors = Integer.highestOneBit(STRIPES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
		int count = Math.max(MIN_STRIPES, forProcessors);
		return new Stripes(count, count);
	}

	public static Stripes none() {
		return new Stripes(0, 0, Long.MAX_VALUE);
	}

	/**
	 * Return whether there are stripes, including stripes that are shut.
	 */
	public boolean areUseful() {
		return this.count > 0;
	}

	/**
	 * Return the stripes that may have owners, always in the same array.
	 */
	public Stripe[] owned() {
		return this.owned;
	}

	/**
	 * Return the current shared chunks, always in the same array.
	 */
	public SharedChunk[] shared() {
		return this.shared;
	}

	/**
	 * Return the stripe of the calling thread.
	 * @return the stripe that the thread owns, or {@code null} if it owns none
	 */
	public @Nullable Stripe own(Thread thread) {
		Stripe stripe = Stripe.of(thread, this.owned);
		return (stripe.owner == thread) ? stripe : null;
	}

	/**
	 * Return whether the calling thread, which owns no stripe yet, may be able to
	 * {@link #claim} one.
	 */
	public boolean isClaimable(Thread thread) {
		return Stripe.of(thread, this.owned).owner == null && !this.shut && !VirtualThreads.isVirtual(thread);
	}

	/**
	 * Make the calling thread the owner of a stripe. Call this under the engine's lock.
	 * @return the stripe, or {@code null} if it has an owner or the stripes are shut
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
	 * Take the next key from a shared chunk, without waiting.
	 * @param source creates the successor of a used-up chunk
	 * @return the key, or {@link Stripe#NONE} if all chunks that the thread tried are
	 * used up and could not be replaced
	 */
	public long takeShared(Thread thread, SharedChunk.Source source) {
		int first = (int) thread.getId();
		for (int i = first; i < first + Math.min(ATTEMPTS, this.shared.length); i++) {
			int index = i & (this.shared.length - 1);
			SharedChunk chunk = this.shared[index];
			long key = chunk.take();
			if (key == Stripe.NONE) {
				key = chunk.takeFromNext(this.shared, index, source);
			}
			if (key != Stripe.NONE) {
				return key;
			}
		}
		return Stripe.NONE;
	}

	/**
	 * Return how many ordinals a chunk may have.
	 * @param reservedSize the size of the chunk's block when the block was reserved
	 * @param remaining how many ordinals can still be reserved
	 */
	public int longestChunk(long reservedSize, long remaining) {
		return (remaining >= this.minRemainingForChunks)
				? (int) Math.max(1, Math.min(LONGEST_CHUNK, reservedSize / this.count)) : 1;
	}

	/**
	 * Remove dead threads as owners. Call this under the engine's lock.
	 * @return whether there are living owners
	 */
	public boolean sweep() {
		boolean hasLivingOwner = false;
		for (Stripe stripe : this.owned) {
			Thread owner = stripe.owner;
			if (owner != null && owner.isAlive()) {
				hasLivingOwner = true;
			}
			else if (owner != null) {
				stripe.owner = null;
			}
		}
		return hasLivingOwner;
	}

	/**
	 * Take all ordinals from the shared chunks, and from the stripes that have no living
	 * owner. Call this under the engine's lock.
	 * @return the ordinals
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
		for (int i = 0; i < this.shared.length; i++) {
			SharedChunk.at(this.shared, i).drain(drained);
		}
		return drained;
	}

	/**
	 * Prevent threads from taking more ordinals from the stripes. Call this under the
	 * engine's lock.
	 * @param drained receives the ordinals of the shared chunks, of the stripes without a
	 * living owner, and of the stripe of the calling thread
	 * @return an {@link #left() estimate} of how many ordinals are in the stripes of
	 * other threads
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
		return left(false);
	}

	/**
	 * Replace the stripes after they were {@link #shut}. Call this under the engine's
	 * lock.
	 */
	public void replace() {
		if (areUseful()) {
			for (int i = 0; i < this.owned.length; i++) {
				this.owned[i] = Stripe.create();
			}
			for (int i = 0; i < this.shared.length; i++) {
				SharedChunk.replace(this.shared, i, SharedChunk.usedUp());
			}
			this.shut = false;
		}
	}

	/**
	 * Return an estimate of how many ordinals threads can take from the stripes and
	 * shared chunks. Each thread that takes ordinals during this call may make the result
	 * wrong by up to one chunk. The result is exact if each call that takes ordinals
	 * <em>happens-before</em> this call.
	 */
	public long left() {
		return this.shut ? 0 : left(true) + left(false) + leftShared();
	}

	private long leftShared() {
		long left = 0;
		for (int i = 0; i < this.shared.length; i++) {
			left += SharedChunk.at(this.shared, i).left();
		}
		return left;
	}

	/**
	 * Return an estimate, like {@link #left()}, of how many ordinals can be taken only by
	 * living owners. Call this under the engine's lock.
	 */
	public long remainingForOwners() {
		sweep();
		return left(true);
	}

	/**
	 * Return an estimate, like {@link #left()}, of how many ordinals could be reclaimed.
	 * Call this under the engine's lock.
	 */
	public long reclaimable() {
		if (this.shut) {
			return 0;
		}
		sweep();
		return leftShared() + left(false);
	}

	private long left(boolean hasOwner) {
		long left = 0;
		for (Stripe stripe : this.owned) {
			if ((stripe.owner != null) == hasOwner) {
				left += stripe.left();
			}
		}
		return left;
	}

}
