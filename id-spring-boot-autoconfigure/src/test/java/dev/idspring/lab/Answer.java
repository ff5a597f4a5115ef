package dev.idspring.lab;

/**
 * The outcome of a call.
 */
enum Answer {

	/** One or more ids. */
	ID,

	/** A documented temporary error: calls succeed again once its cause is gone. */
	UNAVAILABLE,

	/** The documented error for a caller that is interrupted while it waits. */
	INTERRUPTED,

	/** The injected error. */
	OUT_OF_MEMORY,

	/**
	 * A transaction conflicted with another one, for example in a deadlock: in the draw
	 * of a gapless number, or in the application's own statements.
	 */
	LOCKED,

	/** The application's own statements failed for another reason. */
	APPLICATION_FAILED,

	/** Any other error. This is always a defect. */
	UNEXPECTED

}
