package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * The configuration disagrees with what the store remembers of a key space. A definition
 * is fixed when a key space is created; only its upper bound may be raised.
 *
 * @since 0.1.0
 */
public class KeySpaceMismatchException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message names the generator or key space, the values, and what to do
	 */
	public KeySpaceMismatchException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message names the generator or key space, the values, and what to do
	 * @param cause what went wrong underneath, or {@code null}
	 */
	public KeySpaceMismatchException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
