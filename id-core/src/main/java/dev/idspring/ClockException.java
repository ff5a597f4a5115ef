package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by time-based strategies if the clock of this machine differs too much from the
 * store's clock, or has jumped too far. Also thrown if the times of new ids would be more
 * than {@code ids.clock.max-ahead} ahead of the clock, because the node was already used
 * for later times, or because callers request ids faster than the layout allows.
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
