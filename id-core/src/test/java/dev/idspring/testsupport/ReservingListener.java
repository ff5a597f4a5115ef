package dev.idspring.testsupport;

import java.util.function.BiFunction;

import dev.idspring.monitor.IdGeneratorListener;

/**
 * A listener that reacts only to attempts to reserve.
 *
 * @param begin called with the names of the generator and its strategy
 */
public record ReservingListener(BiFunction<String, String, Attempt> begin) implements IdGeneratorListener {

	@Override
	public Attempt reserving(String generator, String strategy) {
		return this.begin.apply(generator, strategy);
	}

}
