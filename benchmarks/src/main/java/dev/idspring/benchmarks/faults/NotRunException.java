package dev.idspring.benchmarks.faults;

/**
 * Thrown if a scene cannot be run on this machine. The message contains the reason.
 */
final class NotRunException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NotRunException(String reason) {
		super(reason);
	}

}
