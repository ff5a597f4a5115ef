package dev.idspring.store.rules;

import dev.idspring.store.FenceLine;

/**
 * Changes the line of a key space while other instances reserve. A store whose servers
 * never fail over has no line.
 *
 * @param <X> the exception of a failed write
 * @since 0.1.0
 */
public interface FenceAccess<X extends Exception> {

	/**
	 * Bring the line back to the clock, unless it was used meanwhile.
	 * @param fence the state that was read
	 * @param followed the line to store
	 * @return whether it was stored
	 * @throws X if the outcome is unknown
	 */
	default boolean followClock(FenceState fence, FenceLine followed) throws X {
		return false;
	}

	/**
	 * Raise the rate, unless another instance has done so. Does not change the time of
	 * the line, which others advance meanwhile.
	 * @param fence the state that was read
	 * @param raised the line with the new rates
	 * @return whether it was raised
	 * @throws X if the outcome is unknown
	 */
	default boolean raise(FenceState fence, FenceLine raised) throws X {
		return false;
	}

}
