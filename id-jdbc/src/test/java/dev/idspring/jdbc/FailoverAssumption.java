package dev.idspring.jdbc;

/**
 * Assumptions about the servers that are promoted one after the other. Each assumption
 * applies to each pair of an earlier and a later server. A server knows the changes that
 * it has replicated. Each counter has a line, which limits how fast reservations advance
 * the counter. The comments in {@code FenceLine} explain the line, and why the
 * assumptions are needed.
 */
enum FailoverAssumption {

	/**
	 * The last reservation that the later server knows is at most one lag later than the
	 * last reservation that the earlier server knows.
	 */
	SAME_PAUSES,

	/** Either both servers know the first reservation after a hold, or neither does. */
	SAME_HOLD_END,

	/** The later server knows each raise of the rate that the earlier server knows. */
	SAME_RAISES,

	/** The earlier server knows each lowering of the rate that the later server knows. */
	SAME_LOWERINGS,

	/**
	 * If the earlier server knows a raise, it also knows each reservation that the later
	 * server knows and that was made while the raise was pending.
	 */
	SAME_USE_OF_RAISE,

	/**
	 * If a primary that the earlier server has not replicated starts before the earlier
	 * server ends, the later server knows only those changes of this primary that were
	 * made while the line was held.
	 */
	WITHIN_HOLD,

	/** A promoted server has replicated from the last primary. */
	FOLLOWER

}
