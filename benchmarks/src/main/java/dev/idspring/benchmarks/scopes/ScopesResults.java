package dev.idspring.benchmarks.scopes;

import java.util.List;

/**
 * The results of inserting rows with numbers per tenant.
 *
 * @param writers the number of threads that inserted rows
 * @param seconds the duration of each round in seconds
 * @param rounds the results of the rounds
 */
public record ScopesResults(int writers, double seconds, List<Round> rounds) {

	/**
	 * The result of one round.
	 *
	 * @param server the database
	 * @param tenants the number of tenants, 0 if rows had a random string instead of a
	 * number
	 * @param rowsPerSecond the number of rows committed per second, with one row per
	 * transaction
	 */
	public record Round(String server, int tenants, double rowsPerSecond) {

	}

}
