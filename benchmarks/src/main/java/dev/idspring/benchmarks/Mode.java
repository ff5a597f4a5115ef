package dev.idspring.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * How much time is spent on measurements.
 */
public enum Mode {

	/** The mode for published results. */
	FULL(List.of(1, 2, 8), 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(2),
			Duration.ofMinutes(1), 21),

	/** The mode for a quick check. Its results must not be quoted. */
	QUICK(List.of(1, 2, 8), 1, 2, Duration.ofMillis(400), Duration.ofMillis(1500), Duration.ofSeconds(1),
			Duration.ofSeconds(10), 3);

	private final List<Integer> threads;

	private final int rounds;

	private final int iterations;

	private final Duration iteration;

	private final Duration warmup;

	private final Duration measurement;

	private final Duration idle;

	private final int starts;

	Mode(List<Integer> threads, int rounds, int iterations, Duration iteration, Duration warmup, Duration measurement,
			Duration idle, int starts) {
		this.threads = threads;
		this.rounds = rounds;
		this.iterations = iterations;
		this.iteration = iteration;
		this.warmup = warmup;
		this.measurement = measurement;
		this.idle = idle;
		this.starts = starts;
	}

	/**
	 * Return the numbers of threads for which the speed in memory is measured.
	 */
	public List<Integer> threads() {
		return this.threads;
	}

	/**
	 * Return the number of rounds of JMH benchmarks. Every round uses new JVMs.
	 */
	public int rounds() {
		return this.rounds;
	}

	/**
	 * Return the number of measured JMH iterations, which is also the number of warm-up
	 * iterations.
	 */
	public int iterations() {
		return this.iterations;
	}

	/**
	 * Return the duration of a JMH iteration.
	 */
	public Duration iteration() {
		return this.iteration;
	}

	/**
	 * Return the warm-up time of a generator with a database.
	 */
	public Duration warmup() {
		return this.warmup;
	}

	/**
	 * Return the measurement time of a generator with a database.
	 */
	public Duration measurement() {
		return this.measurement;
	}

	/**
	 * Return how long generators are idle before the number of unused ids is measured.
	 */
	public Duration idle() {
		return this.idle;
	}

	/**
	 * Return how many times an application is started with each compared library, and
	 * without any of them.
	 */
	public int starts() {
		return this.starts;
	}

}
