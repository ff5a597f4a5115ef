package dev.idspring.time;

/**
 * The right to make ids with a node number, within a window of time.
 * <p>
 * The window moves ahead only after the store has confirmed it. No id is made outside of
 * it, and {@link TimeSequence} makes none in it twice.
 */
final class Node {

	final long number;

	/** Where the window begins. */
	final long first;

	final TimeSequence sequence;

	/** Where the window ends, exclusive; moves after the store has confirmed it. */
	volatile long window;

	/**
	 * Create a node.
	 * @param number the number
	 * @param first where the window begins
	 * @param window where it ends, exclusive
	 * @param sequence begins at the first time of the window, or later
	 */
	Node(long number, long first, long window, TimeSequence sequence) {
		this.number = number;
		this.first = first;
		this.window = window;
		this.sequence = sequence;
	}

	/**
	 * Take the next id.
	 * @param now the time
	 * @param maxAhead how far ids may be ahead of it
	 * @return an id without prefix; or {@link TimeSequence#NONE}
	 */
	long next(long now, long maxAhead) {
		return this.sequence.next(now, limit(now, maxAhead));
	}

	/**
	 * Take several ids of the same millisecond, without prefix.
	 * @return how many there were
	 */
	int next(long now, long maxAhead, long[] into, int offset) {
		return this.sequence.next(now, limit(now, maxAhead), into, offset);
	}

	private long limit(long now, long maxAhead) {
		return Math.min(this.window, now + maxAhead + 1);
	}

	/**
	 * Return whether the window, rather than the clock, prevents more ids.
	 */
	boolean isWindowUsedUp(long now, long maxAhead) {
		return this.window <= now + maxAhead + 1;
	}

	/**
	 * Return whether ids would be too far ahead of the clock because the node was already
	 * used at later times, rather than because too many are drawn.
	 */
	boolean isAheadOf(long now, long maxAhead) {
		return this.first > now + maxAhead;
	}

}
