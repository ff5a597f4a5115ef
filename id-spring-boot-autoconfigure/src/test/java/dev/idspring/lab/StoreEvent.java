package dev.idspring.lab;

/**
 * An event between an instance and the store. Each recorded event also contains the
 * number of the slot, the start and the end of a range, and the time of a clock that all
 * processes of a machine share.
 */
enum StoreEvent {

	/** The application is starting. */
	OPENED,

	/** The application was closed normally. */
	CLOSED,

	/** The store was asked to reserve ids. The end of the range is the number of ids. */
	REQUESTED,

	/** The store reserved this range. */
	CONFIRMED,

	/** The store did not confirm the reservation. */
	NOT_CONFIRMED,

	/**
	 * An attempt to reserve ids has ended. The end of the range is the number of ids.
	 * Attempts may overlap: a generator that drops the ids in its memory starts a new
	 * attempt while the previous one hangs.
	 */
	ENDED,

	/**
	 * Some commits of the attempt have an unknown outcome. The start of the range is the
	 * number of commits, and the end is the number of ids that each may have reserved.
	 */
	IN_DOUBT,

	/** The unused end of a reserved range was given back. */
	GIVEN_BACK,

	/**
	 * The end of a range was not given back, because another instance had reserved ids
	 * after it or had taken over the slot.
	 */
	NOT_GIVEN_BACK,

	/** It is unknown whether the end of a range was given back. */
	GIVEN_BACK_IN_DOUBT,

	/** A slot was claimed. The start of the range is a hash of the owner's id. */
	CLAIMED,

	/**
	 * The generator dropped the ids in its memory. It will also drop the ids that an
	 * attempt in progress reserves.
	 */
	MEMORY_DROPPED

}
