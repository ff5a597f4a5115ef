package dev.idspring.monitor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Is told when a store is about to be asked to reserve, and when it has answered. Both
 * happen on the thread that asks, with no lock held, so that what is opened at the
 * beginning surrounds all that the store does.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReservationObserver {

	/**
	 * A store is about to be asked.
	 * @param generator the name of the generator
	 * @param strategy the name of the strategy, as in {@code ids.strategy}
	 * @return is told the end
	 */
	Attempt begin(String generator, String strategy);

	/**
	 * Return an observer that does nothing.
	 * @return the observer
	 */
	static ReservationObserver none() {
		return (generator, strategy) -> (outcome, error) -> {
		};
	}

	/**
	 * Return an observer that tells several others, none of which can keep the others
	 * from being told.
	 * @param observers are told the beginning in this order, and the end in the opposite
	 * one
	 * @return the observer
	 */
	static ReservationObserver all(List<? extends ReservationObserver> observers) {
		List<ReservationObserver> guarded = observers.stream().map(ReservationObserver::guarded).toList();
		return (generator, strategy) -> {
			Deque<Attempt> begun = new ArrayDeque<>();
			guarded.forEach((observer) -> begun.push(observer.begin(generator, strategy)));
			return (outcome, error) -> begun.forEach((attempt) -> attempt.end(outcome, error));
		};
	}

	/**
	 * Return an observer that never throws, whatever this one does: whoever watches must
	 * not disturb what is watched.
	 * @return the observer
	 */
	default ReservationObserver guarded() {
		return new GuardedReservationObserver(this);
	}

	/**
	 * One attempt to reserve.
	 */
	@FunctionalInterface
	interface Attempt {

		/**
		 * The store has answered, or failed to. Called once, on the thread that began.
		 * @param outcome what became of the attempt
		 * @param error what went wrong, or {@code null} if nothing did
		 */
		void end(ReservationOutcome outcome, @Nullable Throwable error);

	}

}
