package dev.idspring.block;

import java.util.List;
import java.util.function.Consumer;

/**
 * Tells all listeners. What they throw is ignored: whoever watches must not disturb what
 * is watched.
 *
 * @since 0.1.0
 */
public final class ReservationListeners {

	private final List<ReservationListener> listeners;

	/**
	 * Create a group of listeners.
	 * @param listeners are told, in this order
	 */
	public ReservationListeners(List<ReservationListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tell all of them that a key space was opened and, if it is so, that it has fewer
	 * keys than somebody asked for before.
	 * @param generator the name of the generator
	 * @param opened the key space
	 * @param remaining how many keys are not reserved
	 */
	public void tellOpened(String generator, OpenedKeySpace opened, long remaining) {
		String name = opened.stored().name();
		long capacity = opened.keySpace().capacity();
		tell((listener) -> listener.opened(generator, name, opened.keySpace(), remaining));
		if (capacity < opened.stored().capacity()) {
			tell((listener) -> listener.lowered(generator, name, capacity, opened.stored().capacity()));
		}
	}

	/**
	 * Tell all of them.
	 * @param event calls a listener
	 */
	public void tell(Consumer<ReservationListener> event) {
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
