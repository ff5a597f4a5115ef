package dev.idspring.monitor;

/**
 * How a generator is doing.
 *
 * @since 0.1.0
 */
public enum GeneratorStatus {

	/**
	 * All is well.
	 */
	UP,

	/**
	 * Ids are handed out, but the end of the key space is near.
	 */
	LOW,

	/**
	 * All keys are used up.
	 */
	EXHAUSTED,

	/**
	 * No ids are handed out: the store fails and nothing is left in memory, or the
	 * generator has stopped.
	 */
	DOWN

}
