package dev.idspring.benchmarks.scopes;

import java.util.List;

/**
 * What was measured while rows with numbers of tenants were inserted.
 *
 * @param writers how many threads inserted
 * @param seconds for how long each round was measured
 * @param rounds what was measured
 */
public record ScopesResults(int writers, double seconds, List<Round> rounds) {

	/**
	 * One round.
	 *
	 * @param server the database
	 * @param tenants how many tenants the rows were of, 0 if rows got no number
	 * @param rowsPerSecond how many rows were committed, one a transaction
	 */
	public record Round(String server, int tenants, double rowsPerSecond) {

	}

}
