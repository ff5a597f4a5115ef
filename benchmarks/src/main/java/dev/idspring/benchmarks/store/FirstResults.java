package dev.idspring.benchmarks.store;

import java.util.List;

/**
 * The results of {@link FirstPart}.
 *
 * @param firstIds the times until the first id
 * @param bursts the numbers of ids that were drawn from new key spaces
 */
public record FirstResults(List<FirstId> firstIds, List<Burst> bursts) {

	/**
	 * Create results. Lists that are missing from a file are empty.
	 */
	public FirstResults {
		firstIds = (firstIds != null) ? firstIds : List.of();
		bursts = (bursts != null) ? bursts : List.of();
	}

	/**
	 * The time until the first id.
	 *
	 * @param contestant the name of the generator
	 * @param delay the delay of the network in milliseconds
	 * @param millis the time in milliseconds
	 */
	public record FirstId(String contestant, int delay, double millis) {

	}

	/**
	 * The number of ids that were drawn from a new key space.
	 *
	 * @param contestant the name of the generator
	 * @param seconds how long two threads drew ids
	 * @param drawn the number of ids
	 */
	public record Burst(String contestant, int seconds, long drawn) {

	}

}
