package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * The clock is too far off, or ids were drawn faster than the bounded borrowing of future
 * time allows. Concerns time strategies.
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
	 * @param cause what went wrong underneath, or {@code null}
	 */
	public ClockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
