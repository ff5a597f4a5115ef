package dev.idspring.block;

import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.store.KeySpaceStore.OrdinalRange;

/**
 * A range of reserved ordinals (positions of ids in their key space) with a cursor that
 * many threads may advance concurrently.
 * <ol>
 * <li>Each advance of the cursor is one atomic operation, and the cursor never moves back
 * to a taken ordinal. So no two callers get the same ordinal.</li>
 * <li>Ordinals at or beyond the end of the block are never handed out. A failed attempt
 * may advance the cursor beyond the end, so methods that read the cursor treat any value
 * beyond the end as the end.</li>
 * <li>The cursor is an offset from the start of the block, not an ordinal. So failed
 * attempts cannot overflow the cursor, even at the end of the largest key space.</li>
 * <li>{@link #drain()} takes all remaining ordinals at once. Later callers find the block
 * used up.</li>
 * </ol>
 */
final class Block {

	static final long NONE = -1;

	private final long start;

	private final long size;

	private final long halfway;

	private final long reservedSize;

	private final AtomicLong cursor = new AtomicLong();

	/**
	 * Create a block.
	 * @param range the ordinals of the block
	 * @param halfway the ordinal that makes the block half used when a caller takes it,
	 * or a number below the start if the block counts as half used from the beginning
	 * @param reservedSize the size of the block when it was reserved; for
	 * {@linkplain #leftover leftovers}, their number
	 */
	private Block(OrdinalRange range, long halfway, long reservedSize) {
		this.start = range.start();
		this.size = range.size();
		this.halfway = halfway;
		this.reservedSize = reservedSize;
	}

	static Block of(OrdinalRange range) {
		return new Block(range, range.start() + range.size() / 2, range.size());
	}

	/**
	 * Create a block of leftovers, which are unused ordinals of other blocks. The new
	 * block counts as half used from the beginning. So it never delays the next
	 * reservation, which starts at the latest when all blocks in memory are half used.
	 */
	static Block leftover(OrdinalRange range) {
		return new Block(range, NONE, range.size());
	}

	/**
	 * Return the ordinals that no caller has taken yet.
	 */
	OrdinalRange unusedRange() {
		return new OrdinalRange(this.start + Math.min(this.cursor.get(), this.size), this.start + this.size);
	}

	static Block usedUp() {
		return new Block(new OrdinalRange(0, 0), NONE, 0);
	}

	/**
	 * Take the next ordinal.
	 * @return the ordinal, or {@link #NONE} if the block is used up
	 */
	long take() {
		long taken = this.cursor.getAndIncrement();
		return (taken < this.size) ? this.start + taken : NONE;
	}

	/**
	 * Take {@code count} consecutive ordinals, or none if fewer are left.
	 * @return the first ordinal, or {@link #NONE}
	 */
	long take(int count) {
		long taken;
		do {
			taken = this.cursor.get();
			if (taken > this.size - count) {
				return NONE;
			}
		}
		while (!this.cursor.compareAndSet(taken, taken + count));
		return this.start + taken;
	}

	/**
	 * Take up to {@code max} consecutive ordinals. If fewer are left, take all of them.
	 * @param max the maximum number of ordinals
	 * @return the first ordinal, or {@link #NONE} if the block is used up
	 */
	long takeUpTo(int max) {
		long taken = this.cursor.getAndAdd(max);
		return (taken < this.size) ? this.start + taken : NONE;
	}

	/**
	 * Take all remaining ordinals.
	 */
	OrdinalRange drain() {
		long taken = Math.min(this.cursor.getAndSet(this.size), this.size);
		return new OrdinalRange(this.start + taken, end());
	}

	/**
	 * Create a block from ordinals that were drained from this block but not used. The
	 * new block has the halfway mark and the reserved size of this block.
	 */
	Block remainder(OrdinalRange drained) {
		return new Block(drained, this.halfway, this.reservedSize);
	}

	long remaining() {
		return Math.max(0, this.size - this.cursor.get());
	}

	long end() {
		return this.start + this.size;
	}

	/**
	 * Return the size of the block when it was reserved; for leftovers, their number.
	 */
	long reservedSize() {
		return this.reservedSize;
	}

	/**
	 * Return whether the block became half used when the caller took {@code count}
	 * ordinals, of which {@code start} is the first. Only one caller gets {@code true}.
	 */
	boolean becomesHalfUsed(long start, int count) {
		return start <= this.halfway && this.halfway - start < count;
	}

	boolean isHalfUsed() {
		return this.start + Math.min(this.cursor.get(), this.size) > this.halfway;
	}

}
