package dev.idspring.store.rules;

import dev.idspring.store.FenceLine;

/**
 * Changes the {@link FenceLine} of a counter. The line limits how fast the counter
 * advances. Other instances may advance the counter at the same time. The default
 * implementations are for stores whose server never fails over, and which therefore have
 * no line.
 *
 * @param <X> the exception of a failed write
 * @since 0.1.0
 */
public interface FenceAccess<X extends Exception> {

	/**
	 * Store the line that {@link FenceLine#followClock} has corrected, unless the stored
	 * line has changed since it was read.
	 * @param fence the state that was read
	 * @param followed the corrected line
	 * @return whether the line was stored
	 * @throws X if the outcome is unknown
	 */
	default boolean followClock(FenceState fence, FenceLine followed) throws X {
		return false;
	}

	/**
	 * Change the rate, unless another instance has changed the rate. An implementation
	 * must not write the time of the line, because other instances advance this time
	 * concurrently.
	 * @param fence the state that was read
	 * @param changed the line with the new rate
	 * @return whether the rate was changed
	 * @throws X if the outcome is unknown
	 */
	default boolean changeRate(FenceState fence, FenceLine changed) throws X {
		return false;
	}

	/**
	 * Start the stored raise of the rate, as in {@link FenceLine#startRaise}, unless
	 * another instance has started it. The server, and not the caller, must compute when
	 * the raise takes effect, because the write may reach the server late.
	 * @param fence the state that was read
	 * @return whether the raise was started
	 * @throws X if the outcome is unknown
	 */
	default boolean startRaise(FenceState fence) throws X {
		return false;
	}

}
