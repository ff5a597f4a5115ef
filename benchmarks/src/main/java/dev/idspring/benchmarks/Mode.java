package dev.idspring.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * How much time is spent.
 */
public enum Mode {

	/** What is published. */
	FULL(List.of(1, 2, 8), 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(2),
			Duration.ofMinutes(1), 21),

	/** For a look in between: not to be quoted. */
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
	 * Return with how many threads raw speed is measured.
	 */
	public List<Integer> threads() {
		return this.threads;
	}

	/**
	 * Return how often what goes into ratios is measured, each time in JVMs of their own.
	 */
	public int rounds() {
		return this.rounds;
	}

	/**
	 * Return how many iterations JMH measures, after as many to warm up.
	 */
	public int iterations() {
		return this.iterations;
	}

	/**
	 * Return how long one of them takes.
	 */
	public Duration iteration() {
		return this.iteration;
	}

	/**
	 * Return for how long a generator with a real store is used before it is measured.
	 */
	public Duration warmup() {
		return this.warmup;
	}

	/**
	 * Return for how long a generator with a real store is measured.
	 */
	public Duration measurement() {
		return this.measurement;
	}

	/**
	 * Return how long generators are left alone to see what they reserve.
	 */
	public Duration idle() {
		return this.idle;
	}

	/**
	 * Return how often an application is started with the starter, and as often without.
	 */
	public int starts() {
		return this.starts;
	}

}
