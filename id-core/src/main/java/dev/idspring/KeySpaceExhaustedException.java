package dev.idspring;

/**
 * All keys of a key space are reserved. Keys never repeat, so no further id can be handed
 * out until the upper bound of the key space is raised, or another instance shuts down
 * normally and returns its unused keys.
 *
 * @since 0.1.0
 */
public class KeySpaceExhaustedException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception with a message.
	 * @param message names the generator or key space, the values, and what to do
	 */
	public KeySpaceExhaustedException(String message) {
		super(message);
	}

}
