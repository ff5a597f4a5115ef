package dev.idspring.benchmarks.fleet;

/**
 * Counts the transactions that the database of a simulated fleet would execute: all
 * transactions, and those in the busiest minute.
 */
final class Transactions {

	private static final long MINUTE = 60_000_000_000L;

	private final Simulation simulation;

	private long total;

	private long currentMinute;

	private long inCurrentMinute;

	private long inBusiestMinute;

	Transactions(Simulation simulation) {
		this.simulation = simulation;
	}

	void add() {
		this.total++;
		long minute = this.simulation.nanoTime() / MINUTE;
		if (minute != this.currentMinute) {
			this.currentMinute = minute;
			this.inCurrentMinute = 0;
		}
		this.inCurrentMinute++;
		this.inBusiestMinute = Math.max(this.inBusiestMinute, this.inCurrentMinute);
	}

	/**
	 * Reset the counts, for example after all instances of the fleet have started.
	 */
	void reset() {
		this.total = 0;
		this.inCurrentMinute = 0;
		this.inBusiestMinute = 0;
	}

	long total() {
		return this.total;
	}

	double perSecondInBusiestMinute() {
		return this.inBusiestMinute / 60.0;
	}

}
