package dev.idspring.time;

import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TimeSource;

/**
 * Opens time-based generators for simulations. The class is in this package because the
 * method that replaces a generator's executor is package-private.
 */
public final class SimulatedNode {

	private SimulatedNode() {
	}

	/**
	 * Open a generator.
	 * @param builder the builder of the generator
	 * @param executor the executor of tasks that use the store
	 * @param timeSource the simulated time, which advances when a caller waits
	 */
	public static TimeIdGenerator open(TimeIdGenerator.Builder builder, StoreExecutor executor, TimeSource timeSource) {
		return builder.timeSource(timeSource).open(executor, new Sleeper.Parking(timeSource), 1);
	}

}
