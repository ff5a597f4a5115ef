package dev.idspring.time;

/**
 * Some successive positions of a millisecond, which callers take one after the other, by
 * one atomic addition each.
 * <p>
 * A thread that adds and gets a position below the count owns it, whatever happens to the
 * span afterwards; what is added beyond the count, or once the span is closed, belongs to
 * no thread. So how many positions were taken is known exactly as soon as the span is
 * used up or closed.
 */
final class TickBatch extends PaddedCounter {

	private static final long serialVersionUID = 1L;

	/** A span has no more positions than the number of those taken has bits for. */
	static final long LONGEST = 1L << 30;

	private static final int SHIFT = 31;

	/** Beyond any count, with room for the number of positions taken. */
	private static final long CLOSED = 1L << 62;

	/** The millisecond. */
	final long time;

	/** What is added to the positions of this millisecond to make tails of them. */
	final long shift;

	/** The first position. */
	final long from;

	/** How many there are. */
	final long count;

	/** How many ids were made before the first of this span. */
	final long before;

	/** The first id; or, where ids do not rise evenly, the one with tail 0. */
	final long base;

	/**
	 * By how much each id is higher than the one before, or 0 if they do not rise evenly.
	 */
	final long stride;

	/** The tail of the first position, less that of the base. */
	final long tail;

	/** When ids were counted from; a hint, so it does not matter who wins. */
	private long heldSince;

	/** How many ids there were then; likewise. */
	private long heldFrom;

	/**
	 * Whether positions may be taken without a look at the clock, because another thread
	 * has just looked.
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
	 * Note how many ids are made in a millisecond of the clock.
	 * @return how many it were so far
	 */
	long drawnAt(long now) {
		long made = made();
		if (this.heldSince != now) {
			this.heldSince = now;
			this.heldFrom = made;
		}
		return made - this.heldFrom;
	}

	/**
	 * Go on counting where another one ends.
	 */
	void follow(TickBatch previous) {
		this.heldSince = previous.heldSince;
		this.heldFrom = previous.heldFrom;
	}

	/**
	 * Take several positions, without touching any if there is none.
	 * @return the index of the first of them, or at least the count if there was none;
	 * those beyond the count are not there
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
	 * Stop all takes.
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
