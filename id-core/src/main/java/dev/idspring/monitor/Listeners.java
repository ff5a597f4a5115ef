package dev.idspring.monitor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;

import dev.idspring.monitor.IdGeneratorListener.Attempt;

/**
 * The listeners of one generator, in the order in which they were added. What one of them
 * throws, also an Error, disturbs neither the generator nor the other listeners.
 *
 * @since 0.1.0
 */
public final class Listeners {

	private final String generator;

	private final String strategy;

	private final List<IdGeneratorListener> listeners;

	/**
	 * Create a group.
	 * @param generator the name of the generator
	 * @param strategy the name of its strategy
	 * @param listeners called in this order
	 */
	public Listeners(String generator, String strategy, List<IdGeneratorListener> listeners) {
		this.generator = generator;
		this.strategy = strategy;
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Add a listener.
	 * @param last called after the others
	 * @return a new group
	 */
	public Listeners with(IdGeneratorListener last) {
		List<IdGeneratorListener> all = new ArrayList<>(this.listeners);
		all.add(last);
		return new Listeners(this.generator, this.strategy, all);
	}

	/**
	 * Call all listeners.
	 * @param event calls one, with the name of the generator
	 */
	public void tell(BiConsumer<IdGeneratorListener, String> event) {
		for (IdGeneratorListener listener : this.listeners) {
			quietly(() -> event.accept(listener, this.generator));
		}
	}

	/**
	 * Begin an attempt to reserve.
	 * @return ends the attempt for all listeners, in the opposite order
	 */
	public Attempt reserving() {
		Deque<Attempt> begun = new ArrayDeque<>();
		for (IdGeneratorListener listener : this.listeners) {
			quietly(() -> begun.push(listener.reserving(this.generator, this.strategy)));
		}
		return (outcome, error) -> begun.forEach((attempt) -> quietly(() -> attempt.end(outcome, error)));
	}

	private static void quietly(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			// ignored
		}
	}

}
