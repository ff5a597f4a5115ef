package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the clock deviates too much, or if ids are requested too fast. A generator
 * may use times that lie slightly in the future, but only up to a limit. Only time-based
 * strategies throw this exception.
 *
 * @since 0.1.0
 */
public class ClockException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message the message, which names the generator or key space and the values,
	 * and says what to do
	 */
	public ClockException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message the message, which names the generator or key space and the values,
	 * and says what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public ClockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
