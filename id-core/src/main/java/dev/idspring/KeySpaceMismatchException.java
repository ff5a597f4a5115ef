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

	private final @Nullable String stored;

	private final @Nullable String configured;

	/**
	 * Create an exception with a message.
	 * @param message names the generator or key space, the values, and what to do
	 */
	public KeySpaceMismatchException(String message) {
		this(message, null);
	}

	/**
	 * Create an exception that knows both definitions.
	 * @param message names the generator or key space, the values, and what to do
	 * @param stored the definition that the store remembers
	 * @param configured the definition that the configuration asks for
	 */
	public KeySpaceMismatchException(String message, String stored, String configured) {
		super(message);
		this.stored = stored;
		this.configured = configured;
	}

	/**
	 * Create an exception with a message and a cause.
	 * @param message names the generator or key space, the values, and what to do
	 * @param cause what went wrong underneath, or {@code null}
	 */
	public KeySpaceMismatchException(String message, @Nullable Throwable cause) {
		super(message, cause);
		this.stored = null;
		this.configured = null;
	}

	/**
	 * Return the definition that the store remembers.
	 * @return the definition, or {@code null} if it is not known
	 */
	public @Nullable String getStored() {
		return this.stored;
	}

	/**
	 * Return the definition that the configuration asks for.
	 * @return the definition, or {@code null} if it is not known
	 */
	public @Nullable String getConfigured() {
		return this.configured;
	}

}
