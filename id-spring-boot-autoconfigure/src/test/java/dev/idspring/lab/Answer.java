package dev.idspring.lab;

/**
 * What became of a call.
 */
enum Answer {

	/** An id, or several. */
	ID,

	/** A documented error that passes when its cause does. */
	REFUSED,

	/** The documented error for those who are interrupted while they wait. */
	INTERRUPTED,

	/** The error that was planted. */
	OUT_OF_MEMORY,

	/** The application's own statements met a lock or a deadlock. */
	LOCKED,

	/** The application's own statements failed. */
	APPLICATION_FAILED,

	/** Anything else, which nobody should ever see. */
	UNEXPECTED

}
