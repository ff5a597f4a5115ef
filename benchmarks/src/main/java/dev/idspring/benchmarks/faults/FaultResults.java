package dev.idspring.benchmarks.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The results of all peers under all faults.
 *
 * @param cells the results, in the order in which they were measured
 * @param servers the versions of the servers
 */
public record FaultResults(List<Cell> cells, Map<Store, String> servers) {

	/**
	 * Create results. What is missing becomes empty.
	 */
	public FaultResults {
		cells = (cells != null) ? cells : new ArrayList<>();
		servers = (servers != null) ? servers : new EnumMap<>(Store.class);
	}

	/**
	 * One peer under one fault.
	 *
	 * @param peer the peer
	 * @param fault the fault
	 * @param seed the seed of the scene
	 * @param measured what was measured, {@code null} if the peer was not there
	 * @param reason why the peer was not there
	 */
	public record Cell(Peer peer, Fault fault, long seed, @Nullable Measured measured, @Nullable String reason) {

	}

	/**
	 * What was measured.
	 *
	 * @param drawn the number of ids that callers got
	 * @param twice how many of them some caller had got before
	 * @param longestMillis the longest time for which a caller in a running instance
	 * waited for an id, from the beginning of the fault
	 * @param lost how many numbers of a counter nobody got, {@code null} if there is no
	 * counter
	 * @param failures what callers got in place of ids, {@code null} if there was nothing
	 */
	public record Measured(long drawn, long twice, long longestMillis, @Nullable Long lost, @Nullable String failures) {

	}

}
