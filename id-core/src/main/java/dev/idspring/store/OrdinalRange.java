package dev.idspring.store;

/**
 * Consecutive ordinals of a key space.
 *
 * @param start the first ordinal
 * @param end the first ordinal after the range; equal to the start if the range is empty
 * @since 0.1.0
 */
public record OrdinalRange(long start, long end) {

	/**
	 * Create a range.
	 * @throws IllegalArgumentException if the bounds are negative or out of order
	 */
	public OrdinalRange {
		if (start < 0 || end < start) {
			throw new IllegalArgumentException("Not a range of ordinals: from " + start + " to " + end);
		}
	}

	/**
	 * Return how many ordinals there are in the range.
	 * @return zero or more
	 */
	public long size() {
		return this.end - this.start;
	}

	/**
	 * Return whether there is no ordinal in the range.
	 * @return {@code true} if the size is zero
	 */
	public boolean isEmpty() {
		return this.end == this.start;
	}

}
