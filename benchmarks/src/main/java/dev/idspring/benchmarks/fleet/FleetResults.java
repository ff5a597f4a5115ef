package dev.idspring.benchmarks.fleet;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The results of simulated fleets.
 *
 * @param runs the results of each fleet
 */
public record FleetResults(List<Run> runs) {

	/**
	 * Create results. A missing list becomes an empty list.
	 */
	public FleetResults(@Nullable List<Run> runs) {
		this.runs = (runs != null) ? runs : new ArrayList<>();
	}

	/**
	 * The result of simulating a fleet.
	 *
	 * @param strategy the title of the strategy
	 * @param instances the number of instances
	 * @param hours the simulated time in hours
	 * @param idsPerSecond the number of ids that all instances together drew per second
	 * @param transactionsPerSecond the number of database transactions per second
	 * @param mostPerSecond the number of database transactions per second in the busiest
	 * minute
	 * @param lost the number of ids that were reserved but will never be drawn, relative
	 * to the drawn ids; {@code null} for time-based ids, which cannot be lost
	 * @param years the number of years for which the key space lasts, at the average rate
	 * of a whole day; for time-based ids, the number of years until the last instant of
	 * the layout
	 * @param slots the number of series or nodes that have been claimed at least once
	 * @param crashes the number of crashes, including those in the first ten minutes,
	 * although the rates exclude these minutes
	 */
	public record Run(String strategy, int instances, long hours, double idsPerSecond, double transactionsPerSecond,
			double mostPerSecond, @Nullable Double lost, double years, int slots, int crashes) {

	}

}
