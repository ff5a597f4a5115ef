package dev.idspring.block;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A range of reserved ordinals with a cursor that many threads may move at once.
 * <ol>
 * <li>The cursor only rises, and every move is one atomic operation, so no two takers get
 * the same ordinal.</li>
 * <li>What lies at or beyond the end is never handed out. The cursor may overshoot the
 * end by failed attempts; whoever reads it caps it.</li>
 * <li>{@link #drain()} is a take of everything that is left: whoever comes later finds
 * the block used up.</li>
 * </ol>
 */
final class Block {

	static final long NONE = -1;

	private final long end;

	private final long halfway;

	private final AtomicLong cursor;

	/**
	 * Create a block.
	 * @param range what it holds
	 * @param halfway the ordinal whose taking means that half is used; outside of the
	 * range if that has happened already
	 */
	Block(OrdinalRange range, long halfway) {
		this.end = range.end();
		this.halfway = halfway;
		this.cursor = new AtomicLong(range.start());
	}

	static Block of(OrdinalRange range) {
		return new Block(range, range.start() + range.size() / 2);
	}

	static Block usedUp() {
		return new Block(new OrdinalRange(0, 0), NONE);
	}

	/**
	 * Take the next ordinal.
	 * @return the ordinal, or {@link #NONE} if the block is used up
	 */
	long take() {
		long ordinal = this.cursor.getAndIncrement();
		return (ordinal < this.end) ? ordinal : NONE;
	}

	/**
	 * Take consecutive ordinals, all or none.
	 * @return the first ordinal, or {@link #NONE} if fewer are left
	 */
	long take(int count) {
		long start;
		do {
			start = this.cursor.get();
			if (start > this.end - count) {
				return NONE;
			}
		}
		while (!this.cursor.compareAndSet(start, start + count));
		return start;
	}

	/**
	 * Take everything that is left.
	 */
	OrdinalRange drain() {
		return new OrdinalRange(Math.min(this.cursor.getAndSet(this.end), this.end), this.end);
	}

	/**
	 * Return a block of what was drained from this one but not used, which remembers
	 * where half of this one is.
	 */
	Block remainder(OrdinalRange drained) {
		return new Block(drained, this.halfway);
	}

	long remaining() {
		return Math.max(0, this.end - this.cursor.get());
	}

	/**
	 * Return whether half of the block was reached by taking these ordinals, which is so
	 * for one taker only.
	 */
	boolean isHalfway(long start, int count) {
		return start <= this.halfway && this.halfway < start + count;
	}

	boolean isHalfUsed() {
		return this.cursor.get() > this.halfway;
	}

}
