package dev.idspring;

/**
 * The configuration disagrees with what the store remembers of a key space. A definition
 * is fixed when a key space is created; only its upper bound may be raised, and secrets
 * may be added.
 *
 * @since 0.1.0
 */
public class KeySpaceMismatchException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String stored;

	private final String configured;

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
	 * Create an exception for an instance that knows other secrets than the store.
	 * @param keySpace the name of the key space
	 * @param stored how many secrets there are
	 * @param configured how many this instance knows
	 * @return the exception
	 */
	public static KeySpaceMismatchException ofSecrets(String keySpace, int stored, int configured) {
		return new KeySpaceMismatchException("The texts of key space '" + keySpace + "' have " + stored
				+ " secrets, but this instance was started with " + configured
				+ ", so it would write ids as others write other ids. Restart it with the secrets that the other"
				+ " instances have.", stored + " secrets", configured + " secrets");
	}

	/**
	 * Return the definition that the store remembers.
	 * @return the definition
	 */
	public String getStored() {
		return this.stored;
	}

	/**
	 * Return the definition that the configuration asks for.
	 * @return the definition
	 */
	public String getConfigured() {
		return this.configured;
	}

}
