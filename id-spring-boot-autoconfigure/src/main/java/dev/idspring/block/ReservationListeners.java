package dev.idspring.block;

import java.util.List;
import java.util.function.Consumer;

/**
 * Tells all listeners. What they throw is ignored: whoever watches must not disturb what
 * is watched.
 */
final class ReservationListeners {

	private final List<ReservationListener> listeners;

	ReservationListeners(List<ReservationListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	void tell(Consumer<ReservationListener> event) {
		for (ReservationListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				// ignored
			}
		}
	}

}
