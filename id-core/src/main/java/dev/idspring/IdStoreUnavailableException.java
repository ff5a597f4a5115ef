package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if too few ids are in memory and the store does not supply more in time. Also
 * thrown if another operation fails because of the store, or if the waiting thread is
 * interrupted. No id is repeated. The generator works again as soon as the store answers.
 *
 * @since 0.1.0
 */
public class IdStoreUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message the message, which names the generator or key space and the settings
	 * involved, and says what to do
	 */
	public IdStoreUnavailableException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message the message, which names the generator or key space and the settings
	 * involved, and says what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public IdStoreUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
