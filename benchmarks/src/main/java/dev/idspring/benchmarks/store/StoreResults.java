package dev.idspring.benchmarks.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The results of the benchmarks that use a database. A contestant is a generator that
 * takes part in a benchmark.
 *
 * @param servers the names and versions of the database servers
 * @param runs the results at full speed
 * @param paced the results at a given rate
 * @param unused how many reserved ids were not used
 * @param failures the measurements that failed, with the reasons
 */
public record StoreResults(List<String> servers, List<Run> runs, List<Paced> paced, List<Unused> unused,
		List<String> failures) {

	/**
	 * Create results. A missing list becomes an empty list.
	 */
	public StoreResults {
		servers = orEmpty(servers);
		runs = orEmpty(runs);
		paced = orEmpty(paced);
		unused = orEmpty(unused);
		failures = orEmpty(failures);
	}

	private static <T> List<T> orEmpty(@Nullable List<T> list) {
		return (list != null) ? list : new ArrayList<>();
	}

	static StoreResults empty() {
		return new StoreResults(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
				new ArrayList<>());
	}

	/**
	 * The results of two threads that draw as fast as possible.
	 *
	 * @param server the database
	 * @param delayMillis the time that is added to each round trip, in milliseconds
	 * @param contestant the name of the contestant
	 * @param idsPerSecond the number of ids per second
	 * @param latency the latency of the calls
	 * @param roundTripsPerMillion the number of round trips per million ids, or
	 * {@code null} if they were not counted
	 * @param firstIdMillis the time until the first id, in milliseconds
	 * @param lost the number of reserved ids that are unused some seconds after the
	 * threads have stopped, and would be lost if the process were killed
	 */
	public record Run(String server, long delayMillis, String contestant, double idsPerSecond, Latency latency,
			@Nullable Double roundTripsPerMillion, double firstIdMillis, long lost) {

	}

	/**
	 * The percentiles of the latency of calls, in microseconds.
	 *
	 * @param p50 the median
	 * @param p99 the 99th percentile
	 * @param p999 the 99.9th percentile
	 * @param p9999 the 99.99th percentile
	 * @param worst the maximum
	 */
	public record Latency(double p50, double p99, double p999, double p9999, double worst) {

	}

	/**
	 * The results of callers that draw at a given rate.
	 *
	 * @param server the database
	 * @param delayMillis the time that is added to each round trip, in milliseconds
	 * @param contestant the name of the contestant
	 * @param wantedPerSecond the given number of ids per second
	 * @param gotPerSecond the actual number of ids per second
	 * @param slowCalls the number of calls that took longer than a millisecond
	 * @param worstMicros the duration of the longest call, in microseconds
	 * @param exhaustions how many times a caller found no id in memory, or {@code null}
	 * if unknown
	 */
	public record Paced(String server, long delayMillis, String contestant, double wantedPerSecond, double gotPerSecond,
			long slowCalls, double worstMicros, @Nullable Long exhaustions) {

	}

	/**
	 * How many ids a contestant has reserved but not used.
	 *
	 * @param server the database
	 * @param contestant the name of the contestant
	 * @param afterFirst the number of unused ids shortly after the first id was drawn
	 * @param afterIdle the number of unused ids after a period without draws
	 * @param afterUse the number of unused ids after a period of slow use
	 * @param idleSeconds the length of each of the two periods, in seconds
	 * @param usePerSecond the slow use, in ids per second
	 */
	public record Unused(String server, String contestant, long afterFirst, long afterIdle, long afterUse,
			long idleSeconds, long usePerSecond) {

	}

}
