package dev.idspring.lab;

/**
 * What became of a call.
 */
enum Answer {

	/** An id, or several. */
	ID,

	/** A documented error that passes when its cause does. */
	REFUSED,

	/** The application's own statements failed. */
	APPLICATION_FAILED,

	/** Anything else, which nobody should ever see. */
	UNEXPECTED

}
