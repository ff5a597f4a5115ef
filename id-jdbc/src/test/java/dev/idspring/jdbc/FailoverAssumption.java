package dev.idspring.jdbc;

/**
 * Assumptions about the servers that are promoted one after the other. They apply to each
 * pair of an earlier and a later server. A server knows the changes that it has
 * replicated. The comments in {@code FenceLine} explain why they are needed.
 */
enum FailoverAssumption {

	/**
	 * The last reservation that the later server knows is older than the last one that
	 * the earlier server knows, or younger by at most one lag.
	 */
	SAME_PAUSES,

	/** Either both servers know the first reservation after a hold, or neither does. */
	SAME_HOLD_END,

	/** The later server knows each raise of the rate that the earlier server knows. */
	SAME_RAISES,

	/** The earlier server knows each lowering of the rate that the later server knows. */
	SAME_LOWERINGS,

	/**
	 * The later server knows no reservation that was made while a raise was pending and
	 * that the earlier server, which knows this raise, does not know.
	 */
	SAME_USE_OF_RAISE,

	/**
	 * The later server knows a change of a primary that the earlier server did not
	 * replicate only if it was made while the line was held.
	 */
	WITHIN_HOLD,

	/** A promoted server has replicated from the last primary. */
	FOLLOWER

}
