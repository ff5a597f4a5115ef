package dev.idspring.time;

/**
 * A node number that a generator may use within a window of time.
 * <p>
 * No id is generated outside of the window. With a store, the window is extended only
 * after the store has reserved the additional times. Within the window,
 * {@link TimeSequence} never issues the same id twice.
 */
final class Node {

	final long number;

	/** The first time of the window. */
	final long first;

	final TimeSequence sequence;

	/**
	 * The end of the window, exclusive.
	 */
	volatile long windowEnd;

	/**
	 * Create a node.
	 * @param number the number of the node
	 * @param first the first time of the window
	 * @param windowEnd the end of the window, exclusive
	 * @param sequence the sequence, which begins at the first time of the window
	 */
	Node(long number, long first, long windowEnd, TimeSequence sequence) {
		this.number = number;
		this.first = first;
		this.windowEnd = windowEnd;
		this.sequence = sequence;
	}

	/**
	 * Take the next id.
	 * @param now the current time
	 * @param maxAhead how far the times of ids may be ahead of the current time
	 * @return an id without prefix, or {@link TimeSequence#NONE} if no id is available
	 */
	long next(long now, long maxAhead) {
		return this.sequence.next(now, limit(now, maxAhead));
	}

	/**
	 * Take several ids of the same millisecond, without prefix.
	 * @return the number of ids taken
	 */
	int next(long now, long maxAhead, long[] into, int offset) {
		return this.sequence.next(now, limit(now, maxAhead), into, offset);
	}

	private long limit(long now, long maxAhead) {
		return Math.min(this.windowEnd, now + maxAhead + 1);
	}

	/**
	 * Return whether the end of the window, and not the clock, limits the times of ids.
	 */
	boolean isLimitedByWindow(long now, long maxAhead) {
		return this.windowEnd <= now + maxAhead + 1;
	}

	/**
	 * Return whether the window begins more than {@code maxAhead} ahead of the clock.
	 * This happens if earlier times may already have been used or reserved.
	 */
	boolean isAheadOf(long now, long maxAhead) {
		return this.first > now + maxAhead;
	}

}
