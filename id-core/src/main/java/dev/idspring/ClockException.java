package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the clock of this machine differs too much from the store's clock, has jumped
 * too far, or is behind a time at which the node was already used. Also thrown if callers
 * request ids faster than the layout allows. During a burst, the times of ids may run
 * ahead of the clock, but only up to {@code ids.clock.max-ahead}. Only time-based
 * strategies throw this exception.
 *
 * @since 0.1.0
 */
public class ClockException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 */
	public ClockException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public ClockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
