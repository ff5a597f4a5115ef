package dev.idspring.time;

/**
 * A batch of consecutive positions within a millisecond, each of which yields one id.
 * Callers take a single position with one atomic addition to the counter.
 * <p>
 * The value of the counter is the index of the next position. A thread that takes an
 * index below {@link #count} owns the position at that index, even if the batch is closed
 * afterwards. Other indexes are invalid. {@link #close()} makes the counter higher than
 * any count, so all later indexes are invalid. The number of taken positions is therefore
 * exact once the batch is used up or closed.
 */
final class TickBatch extends PaddedCounter {

	private static final long serialVersionUID = 1L;

	/**
	 * The maximum number of positions. It must fit into the bits of a closed counter that
	 * store the number of taken positions.
	 */
	static final long MAX_COUNT = 1L << 30;

	private static final int TAKEN_SHIFT = 31;

	/**
	 * The bit of the counter that marks a closed batch. Its value is higher than any
	 * count. The bits from {@link #TAKEN_SHIFT} store the number of taken positions.
	 */
	private static final long CLOSED = 1L << 62;

	/** The millisecond of the ids, since the epoch of the layout. */
	final long time;

	/**
	 * The tail of position 0. The tail is the part of an id that distinguishes ids of the
	 * same node and millisecond.
	 */
	final long shift;

	/** The position at index 0. */
	final long from;

	/** The number of positions. */
	final long count;

	/** How many ids were generated before this batch. */
	final long issuedBefore;

	/** The id at index 0 or, if the stride is 0, the id with tail 0. */
	final long base;

	/**
	 * The difference between consecutive ids, or 0 if it is not constant.
	 */
	final long stride;

	/** The tail of the id at index 0, minus the tail of {@link #base}. */
	final long tail;

	/**
	 * The millisecond of the clock for which {@link #countDrawnAt} counts ids. Races are
	 * harmless, because the count only decides when callers share a reading of the clock.
	 */
	private long countedMillisecond;

	/**
	 * How many ids were generated before {@link #countedMillisecond}. Races are harmless
	 * for the same reason.
	 */
	private long issuedBeforeMillisecond;

	/**
	 * Whether callers may take positions without reading the clock, because a thread has
	 * just read it.
	 */
	volatile boolean fresh;

	TickBatch(long taken, long time, long shift, long from, long count, long issuedBefore, long base, long stride,
			long tail) {
		super(Math.min(taken, count));
		this.time = time;
		this.shift = shift;
		this.from = from;
		this.count = count;
		this.issuedBefore = issuedBefore;
		this.base = base;
		this.stride = stride;
		this.tail = tail;
	}

	/**
	 * Return the position after the last position of this batch.
	 */
	long end() {
		return this.from + this.count;
	}

	/**
	 * Count the ids that were generated during the current millisecond of the clock.
	 * @return the number of ids so far
	 */
	long countDrawnAt(long now) {
		long issued = issued();
		if (this.countedMillisecond != now) {
			this.countedMillisecond = now;
			this.issuedBeforeMillisecond = issued;
		}
		return issued - this.issuedBeforeMillisecond;
	}

	/**
	 * Continue the count of the previous batch.
	 */
	void continueCountOf(TickBatch previous) {
		this.countedMillisecond = previous.countedMillisecond;
		this.issuedBeforeMillisecond = previous.issuedBeforeMillisecond;
	}

	/**
	 * Take up to the wanted number of positions.
	 * @return the index of the first position taken, or at least {@link #count} if no
	 * position was left
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
	 * Close this batch, so that no more positions can be taken.
	 * @return how many positions were taken
	 */
	long close() {
		while (true) {
			long taken = get();
			if (taken >= this.count) {
				return takenCount();
			}
			if (compareAndSet(taken, CLOSED | taken << TAKEN_SHIFT)) {
				return taken;
			}
		}
	}

	private long takenCount() {
		long taken = get();
		return (taken < CLOSED) ? Math.min(taken, this.count) : (taken & ~CLOSED) >>> TAKEN_SHIFT;
	}

	/**
	 * Return how many ids have been generated so far, including those before this batch.
	 */
	long issued() {
		return this.issuedBefore + takenCount();
	}

}
