package dev.idspring;

/**
 * The configuration disagrees with what the store remembers of a key space. A definition
 * is fixed when a key space is created; only its upper bound may be raised.
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
