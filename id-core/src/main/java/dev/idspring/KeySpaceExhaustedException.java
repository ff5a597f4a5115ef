package dev.idspring;

/**
 * Thrown if a key space has too few keys left for a call. Keys never repeat. More keys
 * become available only if the upper bound of the key space is raised, if another
 * instance shuts down normally and gives back its unused keys, or if the lease of another
 * instance on a series expires.
 * <p>
 * A time-based key space is exhausted once the clock has reached the last instant that
 * its ids can contain. The generator then needs a new key space.
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
