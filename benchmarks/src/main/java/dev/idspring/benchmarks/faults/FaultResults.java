package dev.idspring.benchmarks.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The results of all {@linkplain Peer peers} under all faults.
 *
 * @param cells the results, in the order in which they were measured
 * @param servers the versions of the servers
 */
public record FaultResults(List<Cell> cells, Map<Store, String> servers) {

	/**
	 * Create results. A collection that is {@code null} becomes an empty one.
	 */
	public FaultResults {
		cells = (cells != null) ? cells : new ArrayList<>();
		servers = (servers != null) ? servers : new EnumMap<>(Store.class);
	}

	/**
	 * The result of one peer under one fault.
	 *
	 * @param peer the peer
	 * @param fault the fault
	 * @param seed the seed of the random decisions during the measurement
	 * @param measured what was measured, or {@code null} if the peer could not be
	 * measured
	 * @param reason why the peer could not be measured, or {@code null} if it was
	 * measured
	 */
	public record Cell(Peer peer, Fault fault, long seed, @Nullable Measured measured, @Nullable String reason) {

	}

	/**
	 * The measured values of one peer under one fault.
	 *
	 * @param drawn the number of ids that callers got
	 * @param twice how many of these ids had already been drawn
	 * @param longestMillis the longest time that a caller in a running instance waited
	 * for an id; the part of a wait before the fault is not counted
	 * @param lost how many numbers were not drawn between the lowest and the highest
	 * drawn number, or {@code null} if the peer does not use a counter or no id was drawn
	 * @param failures some of the errors that prevented draws or the opening of
	 * generators, or {@code null} if there were none
	 */
	public record Measured(long drawn, long twice, long longestMillis, @Nullable Long lost, @Nullable String failures) {

	}

}
