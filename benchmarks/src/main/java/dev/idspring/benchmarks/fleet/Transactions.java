package dev.idspring.benchmarks.fleet;

/**
 * Counts all transactions, and those of the busiest minute.
 */
final class Transactions {

	private static final long MINUTE = 60_000_000_000L;

	private final Simulation simulation;

	private long all;

	private long minute;

	private long inMinute;

	private long mostInMinute;

	Transactions(Simulation simulation) {
		this.simulation = simulation;
	}

	void add() {
		this.all++;
		long minute = this.simulation.nanoTime() / MINUTE;
		if (minute != this.minute) {
			this.minute = minute;
			this.inMinute = 0;
		}
		this.inMinute++;
		this.mostInMinute = Math.max(this.mostInMinute, this.inMinute);
	}

	/**
	 * Reset the counts, for example after the start of the whole fleet.
	 */
	void reset() {
		this.all = 0;
		this.inMinute = 0;
		this.mostInMinute = 0;
	}

	long all() {
		return this.all;
	}

	double mostPerSecond() {
		return this.mostInMinute / 60.0;
	}

}
