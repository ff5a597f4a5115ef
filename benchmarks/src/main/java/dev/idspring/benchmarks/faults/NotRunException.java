package dev.idspring.benchmarks.faults;

/**
 * Thrown if a {@link Scene} cannot be run, for example because this machine lacks a
 * program. The message is the reason.
 */
final class NotRunException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NotRunException(String reason) {
		super(reason);
	}

}
