package dev.idspring.time;

import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TimeSource;

/**
 * Opens generators of ids of time in a world of its own. In this package, as generators
 * that are used let nobody replace what talks to their store.
 */
public final class SimulatedNode {

	private SimulatedNode() {
	}

	/**
	 * Open a generator.
	 * @param builder what it is built by
	 * @param supply talks to the store
	 * @param timeSource tells the time, and moves when somebody waits
	 */
	public static TimeIdGenerator open(TimeIdGenerator.Builder builder, StoreExecutor supply, TimeSource timeSource) {
		return builder.timeSource(timeSource).open(supply, new Sleeper.Parking(timeSource), 1);
	}

}
