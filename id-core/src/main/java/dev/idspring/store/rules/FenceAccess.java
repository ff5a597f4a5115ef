package dev.idspring.store.rules;

import dev.idspring.store.FenceLine;

/**
 * How a store changes the line of a key space while other instances reserve. A store
 * whose servers never fail over has no line.
 *
 * @param <X> how a write fails
 * @since 0.1.0
 */
public interface FenceAccess<X extends Exception> {

	/**
	 * Bring the line back to the clock, unless it was used meanwhile.
	 * @param fence as it was read
	 * @param followed the line to store
	 * @return whether it was stored
	 * @throws X if it is not known
	 */
	default boolean followClock(FenceState fence, FenceLine followed) throws X {
		return false;
	}

	/**
	 * Raise the rate, unless another instance has. Leaves the time of the line alone,
	 * which others move meanwhile.
	 * @param fence as it was read
	 * @param raised the line that has the rates
	 * @return whether it was raised
	 * @throws X if it is not known
	 */
	default boolean raise(FenceState fence, FenceLine raised) throws X {
		return false;
	}

}
