package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * Root of all errors of id generation. Messages name the generator, the values involved,
 * and what to do.
 *
 * @since 0.1.0
 */
public class IdGenerationException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message names the generator or key space, the values, and what to do
	 */
	public IdGenerationException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message names the generator or key space, the values, and what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public IdGenerationException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
