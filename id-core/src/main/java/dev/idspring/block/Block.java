package dev.idspring.block;

import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.store.KeySpaceStore.OrdinalRange;

/**
 * A range of reserved ordinals with a cursor that many threads may advance concurrently.
 * <ol>
 * <li>Each advance of the cursor is one atomic operation, and the cursor never returns to
 * an ordinal that was taken. So no two callers get the same ordinal.</li>
 * <li>Ordinals at or beyond the end of the block are never handed out. A failed attempt
 * may advance the cursor past the end, so methods that read the cursor treat any such
 * value as the end.</li>
 * <li>The cursor is an offset from the start of the block, not an ordinal. So failed
 * attempts cannot make it overflow, even at the end of the largest key space.</li>
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
	 * @param halfway the ordinal that makes the block half used when it is taken; less
	 * than the start if the block counts as half used from the beginning
	 * @param reserved the size of the block when it was reserved; for leftovers, their
	 * number
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
	 * Create a block of ordinals that were left over from other blocks. The new block
	 * counts as half used, so it never delays the next reservation.
	 */
	static Block leftover(OrdinalRange range) {
		return new Block(range, NONE, range.size());
	}

	/**
	 * Return the ordinals that no caller has taken yet.
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
	 * Take {@code count} consecutive ordinals, or none if fewer are left.
	 * @return the first ordinal, or {@link #NONE}
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
	 * Take up to {@code most} consecutive ordinals. If fewer are left, this takes all of
	 * them.
	 * @param most the maximum number of ordinals
	 * @return the first ordinal, or {@link #NONE} if the block is used up
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
	 * Create a block from ordinals that were drained from this block but not used. The
	 * new block has the halfway mark and the reserved size of this one.
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
	 * Return the size of the block when it was reserved; for leftovers, their number.
	 */
	long reserved() {
		return this.reserved;
	}

	/**
	 * Return whether the block became half used when {@code count} ordinals from
	 * {@code start} were taken. Only one caller gets {@code true}.
	 */
	boolean isHalfway(long start, int count) {
		return start <= this.halfway && this.halfway - start < count;
	}

	boolean isHalfUsed() {
		return this.start + Math.min(this.taken.get(), this.size) > this.halfway;
	}

}
