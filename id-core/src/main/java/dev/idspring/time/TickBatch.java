package dev.idspring.time;

/**
 * Successive positions of a millisecond. Callers take each with one atomic addition.
 * <p>
 * A thread that takes a position below the count owns it, whatever happens to the batch
 * afterwards. Positions beyond the count, or taken after the batch is closed, belong to
 * no thread. So the number of positions taken is exact once the batch is used up or
 * closed.
 */
final class TickBatch extends PaddedCounter {

	private static final long serialVersionUID = 1L;

	/** The most positions of a batch: the number taken must fit its bits. */
	static final long MAX_COUNT = 1L << 30;

	private static final int SHIFT = 31;

	/** Beyond any count, with room for the number of positions taken. */
	private static final long CLOSED = 1L << 62;

	/** The millisecond. */
	final long time;

	/** Added to the positions of this millisecond to make tails. */
	final long shift;

	/** The first position. */
	final long from;

	/** How many there are. */
	final long count;

	/** How many ids were made before the first of this batch. */
	final long before;

	/** The first id or, if ids do not rise evenly, the one with tail 0. */
	final long base;

	/**
	 * The step from each id to the next, or 0 if ids do not rise evenly.
	 */
	final long stride;

	/** The tail of the first position, minus that of the base. */
	final long tail;

	/** The millisecond in which ids are counted. Only a hint, so races do not matter. */
	private long heldSince;

	/** How many ids there were at its start; also a hint. */
	private long heldFrom;

	/**
	 * Whether positions may be taken without reading the clock, because another thread
	 * has just read it.
	 */
	volatile boolean fresh;

	TickBatch(long taken, long time, long shift, long from, long count, long before, long base, long stride,
			long tail) {
		super(Math.min(taken, count));
		this.time = time;
		this.shift = shift;
		this.from = from;
		this.count = count;
		this.before = before;
		this.base = base;
		this.stride = stride;
		this.tail = tail;
	}

	/**
	 * Return the position after the last one.
	 */
	long end() {
		return this.from + this.count;
	}

	/**
	 * Count the ids made in a millisecond of the clock.
	 * @return how many there are so far
	 */
	long countDrawnAt(long now) {
		long made = made();
		if (this.heldSince != now) {
			this.heldSince = now;
			this.heldFrom = made;
		}
		return made - this.heldFrom;
	}

	/**
	 * Continue the count of the previous batch.
	 */
	void continueCountOf(TickBatch previous) {
		this.heldSince = previous.heldSince;
		this.heldFrom = previous.heldFrom;
	}

	/**
	 * Take several positions. Changes nothing if none is left.
	 * @return the index of the first of them, or at least the count if none was left;
	 * positions from the count on do not exist
	 */
	long take(long wanted) {
		while (true) {
			long taken = get();
			if (taken >= this.count || compareAndSet(taken, Math.min(this.count, taken + wanted))) {
				return taken;
			}
		}
	}

	/**
	 * Allow no more takes.
	 * @return how many positions were taken
	 */
	long close() {
		while (true) {
			long taken = get();
			if (taken >= this.count) {
				return taken();
			}
			if (compareAndSet(taken, CLOSED | taken << SHIFT)) {
				return taken;
			}
		}
	}

	private long taken() {
		long taken = get();
		return (taken < CLOSED) ? Math.min(taken, this.count) : (taken & ~CLOSED) >>> SHIFT;
	}

	/**
	 * Return how many ids were made up to now.
	 */
	long made() {
		return this.before + taken();
	}

}
