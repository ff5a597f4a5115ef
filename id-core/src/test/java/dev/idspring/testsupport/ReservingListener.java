package dev.idspring.testsupport;

import java.util.function.BiFunction;

import dev.idspring.monitor.IdGeneratorListener;

/**
 * Listens to attempts to reserve only.
 *
 * @param begin called with the names of generator and strategy
 */
public record ReservingListener(BiFunction<String, String, Attempt> begin) implements IdGeneratorListener {

	@Override
	public Attempt reserving(String generator, String strategy) {
		return this.begin.apply(generator, strategy);
	}

}
