package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * The clock deviates too much, or ids were drawn faster than the bounded borrowing of
 * future time allows. Only time strategies throw it.
 *
 * @since 0.1.0
 */
public class ClockException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message names the generator or key space, the values, and what to do
	 */
	public ClockException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message names the generator or key space, the values, and what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public ClockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
