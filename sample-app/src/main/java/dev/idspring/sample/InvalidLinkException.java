package dev.idspring.sample;

/**
 * A URL cannot be shortened.
 */
class InvalidLinkException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int line;

	InvalidLinkException(int line, String message) {
		super(message);
		this.line = line;
	}

	/**
	 * Return which of several URLs it is, from 1.
	 */
	int line() {
		return this.line;
	}

}
