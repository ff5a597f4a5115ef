package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store returned to an earlier state, for example because a backup was
 * restored or a lagging replica was promoted. The generator could then repeat ids, so it
 * stops until the application is restarted. The message says what to do before the
 * restart. Depending on the strategy, it tells the operator to advance a counter, or to
 * wait until the clock has passed all times in use.
 * <p>
 * The strategy {@code gapless} does not stop. It continues with the number in its table,
 * and throws this exception only while the row with that number is missing.
 *
 * @since 0.1.0
 */
public class KeySpaceRegressionException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 */
	public KeySpaceRegressionException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public KeySpaceRegressionException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
