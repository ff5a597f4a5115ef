package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * No node number could be claimed, or another instance holds the claimed one. Only time
 * strategies throw it.
 *
 * @since 0.1.0
 */
public class NodeUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message names the generator or key space, the values, and what to do
	 */
	public NodeUnavailableException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message names the generator or key space, the values, and what to do
	 * @param cause the underlying error, or {@code null}
	 */
	public NodeUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
