package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * Superclass of the exceptions that a generator throws when it cannot hand out ids.
 * Messages name the generator or key space and the values involved, and say what to do.
 *
 * @since 0.1.0
 */
public class IdGenerationException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 */
	public IdGenerationException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public IdGenerationException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
