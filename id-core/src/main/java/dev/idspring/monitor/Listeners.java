package dev.idspring.monitor;

import java.util.List;
import java.util.function.Consumer;

/**
 * Tells all who listen, in the order in which they were added. What one of them throws is
 * ignored, an error as well: whoever watches must disturb neither what is watched nor the
 * others.
 *
 * @param <L> the type of who listens
 * @since 0.1.0
 */
public final class Listeners<L> {

	private final List<L> listeners;

	/**
	 * Create a group.
	 * @param listeners are told, in this order
	 */
	public Listeners(List<L> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tell all of them.
	 * @param event calls one
	 */
	public void tell(Consumer<L> event) {
		for (L listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (Throwable ex) {
				// ignored
			}
		}
	}

}
