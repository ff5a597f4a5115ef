package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * The store returned to an earlier state: a backup was restored or a lagging replica
 * promoted. To continue would repeat ids, so the generator that detects this stops until
 * the application is restarted. The message says what to do before the restart: advance a
 * counter, or wait until the clock has passed all times in use, depending on the
 * strategy. {@code gapless} continues from the position in its table.
 *
 * @since 0.1.0
 */
public class KeySpaceRegressionException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message names the generator or key space, the values, and what to do
	 */
	public KeySpaceRegressionException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message names the generator or key space, the values, and what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public KeySpaceRegressionException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
