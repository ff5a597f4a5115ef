package dev.idspring.monitor;

import org.jspecify.annotations.Nullable;

/**
 * Keeps what an observer throws from whoever is observed, errors as well.
 */
final class GuardedReservationObserver implements ReservationObserver {

	private final ReservationObserver observer;

	GuardedReservationObserver(ReservationObserver observer) {
		this.observer = observer;
	}

	@Override
	public Attempt begin(String generator, String strategy) {
		try {
			Attempt attempt = this.observer.begin(generator, strategy);
			return (outcome, error) -> end(attempt, outcome, error);
		}
		catch (Throwable ex) {
			return ReservationObserver.none().begin(generator, strategy);
		}
	}

	private static void end(Attempt attempt, ReservationOutcome outcome, @Nullable Throwable error) {
		try {
			attempt.end(outcome, error);
		}
		catch (Throwable ex) {
			// ignored
		}
	}

	@Override
	public ReservationObserver guarded() {
		return this;
	}

}
