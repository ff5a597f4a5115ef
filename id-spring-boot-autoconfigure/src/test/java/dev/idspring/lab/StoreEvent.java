package dev.idspring.lab;

/**
 * What happened between an instance and the store. Of each event there are written down,
 * besides, the time, which is the same for all processes of a machine, the number of the
 * slot, and the beginning and the end of a range.
 */
enum StoreEvent {

	/** An application has begun to start. */
	OPENED,

	/** The application has been closed in order. */
	CLOSED,

	/** The store was asked to reserve as many. */
	ASKED,

	/** It has reserved this range. */
	CONFIRMED,

	/** It has not reserved what it was asked for, or may not have. */
	NOT_CONFIRMED,

	/**
	 * All that came of one attempt to reserve as many is written down. Several may be
	 * under way: who drops memory begins another one beside that which hangs.
	 */
	ANSWERED,

	/**
	 * As many commits of the attempt have ended so that nobody knows what became of them:
	 * the range begins at their number and ends at how many each would have reserved.
	 */
	IN_DOUBT,

	/** The end of what was reserved was given back. */
	GIVEN_BACK,

	/** It was not, since somebody had come in between. */
	NOT_GIVEN_BACK,

	/** Nobody knows whether it was. */
	GIVEN_BACK_IN_DOUBT,

	/** A slot was claimed: the range begins at what tells owners apart. */
	CLAIMED,

	/** As many ids were dropped from memory, and what an attempt under way reserved. */
	MEMORY_DROPPED

}
