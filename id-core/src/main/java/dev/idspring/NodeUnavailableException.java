package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * No node number could be claimed, or the claimed one is held by another instance.
 * Concerns time strategies.
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
	 * @param cause what went wrong underneath, or {@code null}
	 */
	public NodeUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
