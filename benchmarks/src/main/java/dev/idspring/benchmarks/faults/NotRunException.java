package dev.idspring.benchmarks.faults;

/**
 * A scene cannot be run. The message says why.
 */
final class NotRunException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NotRunException(String reason) {
		super(reason);
	}

}
