package dev.idspring.monitor;

import dev.idspring.KeySpaceExhaustedException;

/**
 * What becomes of an attempt to reserve.
 *
 * @since 0.1.0
 */
public enum ReservationOutcome {

	/**
	 * Something was reserved.
	 */
	SUCCESS,

	/**
	 * Nothing is left to reserve.
	 */
	EXHAUSTED,

	/**
	 * The store failed, or refused.
	 */
	FAILURE;

	/**
	 * Return what an error means.
	 * @param error what went wrong
	 * @return the outcome
	 */
	public static ReservationOutcome of(Throwable error) {
		return (error instanceof KeySpaceExhaustedException) ? EXHAUSTED : FAILURE;
	}

}
