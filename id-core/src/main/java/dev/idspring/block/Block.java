package dev.idspring.block;

import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.store.KeySpaceStore.OrdinalRange;

/**
 * A range of reserved ordinals with a cursor that many threads may move at once.
 * <ol>
 * <li>The cursor only rises, and every move is one atomic operation, so no two takers get
 * the same ordinal.</li>
 * <li>What lies at or beyond the end is never handed out. The cursor may overshoot the
 * end by failed attempts; readers cap it. It counts from zero in each block, so that no
 * number of failed attempts makes it overflow, not even at the end of the longest key
 * space.</li>
 * <li>{@link #drain()} is a take of everything that is left: later callers find the block
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
	 * @param range what it holds
	 * @param halfway the ordinal whose taking means that half is used; outside of the
	 * range if that has happened already
	 * @param reserved how many ordinals there were at first
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
	 * Return a block of what is left of others. More than half of those is used.
	 */
	static Block leftover(OrdinalRange range) {
		return new Block(range, NONE, range.size());
	}

	/**
	 * Return what callers have not taken.
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
	 * @return the first ordinal, with as many after it as are asked for or the end
	 * allows; {@link #NONE} if the block is used up
	 */
	long takeUpTo(int most) {
		long taken = this.taken.getAndAdd(most);
		return (taken < this.size) ? this.start + taken : NONE;
	}

	/**
	 * Take everything that is left.
	 */
	OrdinalRange drain() {
		long taken = Math.min(this.taken.getAndSet(this.size), this.size);
		return new OrdinalRange(this.start + taken, end());
	}

	/**
	 * Return a block of what was drained from this one but not used, which remembers
	 * where half of this one is and how large it was.
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
	 * Return whether half of the block was reached by taking these ordinals, which is so
	 * for one taker only.
	 */
	boolean isHalfway(long start, int count) {
		return start <= this.halfway && this.halfway - start < count;
	}

	boolean isHalfUsed() {
		return this.start + Math.min(this.taken.get(), this.size) > this.halfway;
	}

}
