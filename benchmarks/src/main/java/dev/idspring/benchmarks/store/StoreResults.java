package dev.idspring.benchmarks.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What was measured with real stores.
 *
 * @param servers what the servers say they are
 * @param runs at full speed
 * @param paced at a given rate
 * @param unused what is reserved and not used
 * @param failures what could not be measured, and why
 */
public record StoreResults(List<String> servers, List<Run> runs, List<Paced> paced, List<Unused> unused,
		List<String> failures) {

	/**
	 * Create results. What is missing is empty.
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
	 * Two threads that draw as fast as they can.
	 *
	 * @param server the database
	 * @param delayMillis by how much each round trip takes longer than usual
	 * @param contestant who gives ids
	 * @param idsPerSecond how many it gave
	 * @param latency how long one took
	 * @param roundTripsPerMillion how many round trips it made for a million of them, or
	 * {@code null} where they were not counted
	 * @param firstIdMillis how long the first id took
	 * @param lost how many ids were reserved and not used when they had stopped for a
	 * while: what is lost if the process is killed then
	 */
	public record Run(String server, long delayMillis, String contestant, double idsPerSecond, Latency latency,
			@Nullable Double roundTripsPerMillion, double firstIdMillis, long lost) {

	}

	/**
	 * How long calls took, in microseconds.
	 *
	 * @param p50 half of them
	 * @param p99 99 of 100
	 * @param p999 999 of 1,000
	 * @param p9999 9,999 of 10,000
	 * @param worst all of them
	 */
	public record Latency(double p50, double p99, double p999, double p9999, double worst) {

	}

	/**
	 * Callers that draw at a given rate.
	 *
	 * @param server the database
	 * @param delayMillis by how much each round trip takes longer than usual
	 * @param contestant who gives ids
	 * @param wantedPerSecond how many were wanted
	 * @param gotPerSecond how many there were
	 * @param slowCalls how many calls took longer than a millisecond
	 * @param worstMicros the longest call
	 * @param exhaustions how often a caller found no id in memory, or {@code null} if the
	 * contestant does not say
	 */
	public record Paced(String server, long delayMillis, String contestant, double wantedPerSecond, double gotPerSecond,
			long slowCalls, double worstMicros, @Nullable Long exhaustions) {

	}

	/**
	 * Ids that are reserved and not used.
	 *
	 * @param server the database
	 * @param contestant who reserved them
	 * @param afterFirst shortly after the first id was drawn
	 * @param afterIdle when none was drawn for a while
	 * @param afterUse when some were drawn all the while
	 * @param idleSeconds how long the while was
	 * @param usePerSecond how many were drawn a second
	 */
	public record Unused(String server, String contestant, long afterFirst, long afterIdle, long afterUse,
			long idleSeconds, long usePerSecond) {

	}

}
