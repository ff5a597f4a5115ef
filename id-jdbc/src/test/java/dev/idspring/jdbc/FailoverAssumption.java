package dev.idspring.jdbc;

/**
 * What is assumed of the servers that are promoted one after the other.
 */
enum FailoverAssumption {

	/**
	 * The last reservation that the later one of two servers has is at most a lag younger
	 * than the last that the earlier one has.
	 */
	SAME_PAUSES,

	/** Both of two servers have the first reservation after a hold, or neither. */
	SAME_HOLD_END,

	/** A server has each raise that an earlier one has. */
	SAME_RAISES,

	/** An earlier one of two servers has each lowering that the later one has. */
	SAME_LOWERINGS,

	/**
	 * Both of two servers have the last reservation before a raised rate, or none.
	 */
	SAME_USE_OF_RAISE,

	/** A server is promoted while what it did not follow is held. */
	WITHIN_HOLD,

	/** A server is promoted that has followed the last one. */
	FOLLOWER

}
