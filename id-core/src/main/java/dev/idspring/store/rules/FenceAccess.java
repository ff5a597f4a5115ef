package dev.idspring.store.rules;

import dev.idspring.store.FenceLine;

/**
 * Changes the {@link FenceLine} of a counter, while other instances advance the counter.
 * The line limits how fast the counter advances. The default implementations are for
 * stores whose server never fails over. Such stores have no line.
 *
 * @param <X> the exception of a failed write
 * @since 0.1.0
 */
public interface FenceAccess<X extends Exception> {

	/**
	 * Store a line whose times were moved back, unless the stored line has changed since
	 * it was read.
	 * @param fence the state that was read
	 * @param followed the result of {@link FenceLine#followClock}
	 * @return whether the line was stored
	 * @throws X if the outcome is unknown
	 */
	default boolean followClock(FenceState fence, FenceLine followed) throws X {
		return false;
	}

	/**
	 * Change the rate, unless another instance has changed it. An implementation must not
	 * change the time of the line, because other instances advance it concurrently.
	 * @param fence the state that was read
	 * @param changed the line with the new rates
	 * @return whether the rate was changed
	 * @throws X if the outcome is unknown
	 */
	default boolean changeRate(FenceState fence, FenceLine changed) throws X {
		return false;
	}

	/**
	 * Start the stored raise of the rate, as in {@link FenceLine#startRaise}, unless
	 * another instance has started it. The server must compute when the raise takes
	 * effect, because the write may be delayed.
	 * @param fence the state that was read
	 * @return whether the raise was started
	 * @throws X if the outcome is unknown
	 */
	default boolean startRaise(FenceState fence) throws X {
		return false;
	}

}
