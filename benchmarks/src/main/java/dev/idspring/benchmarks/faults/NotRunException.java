package dev.idspring.benchmarks.faults;

/**
 * Thrown if a scene (one fault, and the generators that are exposed to it) cannot be run,
 * for example because this machine lacks a program. The message is the reason.
 */
final class NotRunException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NotRunException(String reason) {
		super(reason);
	}

}
