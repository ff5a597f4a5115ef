package dev.idspring;

/**
 * Thrown if all keys of a key space are reserved. Keys never repeat, so more ids are
 * available only after one of two events: the upper bound of the key space is raised, or
 * another instance shuts down normally and gives back its unused keys.
 *
 * @since 0.1.0
 */
public class KeySpaceExhaustedException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message the message, which names the generator or key space and the values
	 * involved, and says what to do
	 */
	public KeySpaceExhaustedException(String message) {
		super(message);
	}

}
