package dev.idspring.block;

import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.store.KeySpaceStore.OrdinalRange;

/**
 * A range of reserved ordinals with a cursor that many threads may advance concurrently.
 * <ol>
 * <li>Up to the end, the cursor only rises, and each advance is one atomic operation. So
 * no two callers get the same ordinal.</li>
 * <li>Ordinals at or beyond the end are never handed out. Failed attempts may push the
 * cursor past the end; readers cap it. It counts from zero in each block, so that no
 * number of failed attempts overflows it, even at the end of the largest key space.</li>
 * <li>{@link #drain()} takes all remaining ordinals at once. Later callers find the block
 * used up.</li>
 * </ol>
 */
final class Block {

	static final long NONE = -1;

	private final long start;

	private final long size;

	private final long halfway;

	private final long reserved;

	private final AtomicLong taken = new AtomicLong();

	/**
	 * Create a block.
	 * @param range the ordinals of the block
	 * @param halfway the ordinal that marks the block as half used when it is taken;
	 * outside the range if it was taken before
	 * @param reserved how many ordinals the block had when it was reserved
	 */
	private Block(OrdinalRange range, long halfway, long reserved) {
		this.start = range.start();
		this.size = range.size();
		this.halfway = halfway;
		this.reserved = reserved;
	}

	static Block of(OrdinalRange range) {
		return new Block(range, range.start() + range.size() / 2, range.size());
	}

	/**
	 * Return a block of ordinals left over from other blocks. It counts as half used.
	 */
	static Block leftover(OrdinalRange range) {
		return new Block(range, NONE, range.size());
	}

	/**
	 * Return the ordinals that no caller has taken.
	 */
	OrdinalRange left() {
		return new OrdinalRange(this.start + Math.min(this.taken.get(), this.size), this.start + this.size);
	}

	static Block usedUp() {
		return new Block(new OrdinalRange(0, 0), NONE, 0);
	}

	/**
	 * Take the next ordinal.
	 * @return the ordinal, or {@link #NONE} if the block is used up
	 */
	long take() {
		long taken = this.taken.getAndIncrement();
		return (taken < this.size) ? this.start + taken : NONE;
	}

	/**
	 * Take consecutive ordinals, all or none.
	 * @return the first ordinal, or {@link #NONE} if fewer are left
	 */
	long take(int count) {
		long taken;
		do {
			taken = this.taken.get();
			if (taken > this.size - count) {
				return NONE;
			}
		}
		while (!this.taken.compareAndSet(taken, taken + count));
		return this.start + taken;
	}

	/**
	 * Take consecutive ordinals, as many as are left.
	 * @param most how many at most
	 * @return the first ordinal of the range, which ends early at the end of the block;
	 * {@link #NONE} if the block is used up
	 */
	long takeUpTo(int most) {
		long taken = this.taken.getAndAdd(most);
		return (taken < this.size) ? this.start + taken : NONE;
	}

	/**
	 * Take all remaining ordinals.
	 */
	OrdinalRange drain() {
		long taken = Math.min(this.taken.getAndSet(this.size), this.size);
		return new OrdinalRange(this.start + taken, end());
	}

	/**
	 * Return a block of the ordinals that were drained from this one but not used. It
	 * retains the halfway mark and the original size of this block.
	 */
	Block remainder(OrdinalRange drained) {
		return new Block(drained, this.halfway, this.reserved);
	}

	long remaining() {
		return Math.max(0, this.size - this.taken.get());
	}

	long end() {
		return this.start + this.size;
	}

	/**
	 * Return how many ordinals the block had when it was reserved.
	 */
	long reserved() {
		return this.reserved;
	}

	/**
	 * Return whether the block became half used when these ordinals were taken. That is
	 * true for only one caller.
	 */
	boolean isHalfway(long start, int count) {
		return start <= this.halfway && this.halfway - start < count;
	}

	boolean isHalfUsed() {
		return this.start + Math.min(this.taken.get(), this.size) > this.halfway;
	}

}
