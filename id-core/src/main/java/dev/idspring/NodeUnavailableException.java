package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if no node number is free, or if another instance uses the configured number. A
 * number is not free during the lease of an instance, or during a waiting period after a
 * fail-over of the store. Only time-based strategies throw this exception, because only
 * their ids contain the number of a node.
 *
 * @since 0.1.0
 */
public class NodeUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 */
	public NodeUnavailableException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public NodeUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
