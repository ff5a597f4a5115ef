package dev.idspring.jdbc;

import dev.idspring.store.FenceLine;

/**
 * The methods of {@link FenceLine} that a simulation calls. Tests override them with
 * weaker rules.
 */
interface FailoverRule {

	default long affordable(FenceLine row, long now, long lag) {
		return row.affordable(now, lag);
	}

	default long wait(FenceLine row, long count, long now, long lag) {
		return row.wait(count, now, lag);
	}

	default FenceLine reserve(FenceLine row, long count, long now) {
		return row.reserve(count, now);
	}

	default FenceLine giveBack(FenceLine row, long count) {
		return row.giveBack(count);
	}

	default boolean isRaiseDue(FenceLine row, long now, long lag) {
		return row.isRaiseDue(now, lag);
	}

	default FenceLine raise(FenceLine row, long used, long lag, long left) {
		return row.raise(used, lag, left);
	}

	/**
	 * Start a raise with a statement that reads the clock now and is committed later.
	 */
	default FenceLine startRaise(FenceLine row, long now, long lag) {
		return row.startRaise(now, lag);
	}

	default FenceLine lower(FenceLine row, long now, long lag, long margin) {
		return row.lower(now, lag, margin);
	}

	default FenceLine takeOver(FenceLine row, long now, long lag, long left) {
		return row.takeOver(now, lag, left);
	}

}
