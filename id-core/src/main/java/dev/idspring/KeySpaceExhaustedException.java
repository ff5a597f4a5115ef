package dev.idspring;

/**
 * All keys of a key space are reserved. Keys never come twice, so no further id can be
 * handed out until the upper bound of the key space is raised or, where another instance
 * shuts down in an orderly way, its unused keys return.
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
