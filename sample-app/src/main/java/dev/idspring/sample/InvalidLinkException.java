package dev.idspring.sample;

/**
 * Thrown when a URL cannot be shortened.
 */
class InvalidLinkException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int line;

	InvalidLinkException(int line, String message) {
		super(message);
		this.line = line;
	}

	/**
	 * Return the number of the input line that contains the invalid URL, counted from 1.
	 */
	int line() {
		return this.line;
	}

}
