package dev.idspring.benchmarks.fleet;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What was seen in simulated fleets.
 *
 * @param runs the fleets
 */
public record FleetResults(List<Run> runs) {

	/**
	 * Create results. What is missing is empty.
	 */
	public FleetResults(@Nullable List<Run> runs) {
		this.runs = (runs != null) ? runs : new ArrayList<>();
	}

	/**
	 * A fleet.
	 *
	 * @param strategy the title of the strategy
	 * @param instances how many instances it had
	 * @param hours for how long it was looked at
	 * @param idsPerSecond what they drew together
	 * @param transactionsPerSecond how many transactions the database had to make
	 * @param mostPerSecond the same in the busiest minute, that of a deployment
	 * @param lost the share of ids that were reserved and will never be drawn, or
	 * {@code null} if ids are made of time, which nobody can lose
	 * @param years for how many years the key space would do, at the average of a whole
	 * day
	 * @param slots how many series or nodes were begun
	 * @param crashes how many instances crashed
	 */
	public record Run(String strategy, int instances, long hours, double idsPerSecond, double transactionsPerSecond,
			double mostPerSecond, @Nullable Double lost, double years, int slots, int crashes) {

	}

}
