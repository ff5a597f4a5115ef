package dev.idspring.lab;

/**
 * The outcome of a call.
 */
enum Answer {

	/** One or more ids. */
	ID,

	/**
	 * A documented error of calls that succeed again once the cause of the error ends.
	 */
	UNAVAILABLE,

	/** The documented error for a caller that is interrupted while it waits. */
	INTERRUPTED,

	/** The injected error. */
	OUT_OF_MEMORY,

	/** The application's own statements failed because of a lock or a deadlock. */
	LOCKED,

	/** The application's own statements failed for another reason. */
	APPLICATION_FAILED,

	/** Any other error. This is always a defect. */
	UNEXPECTED

}
