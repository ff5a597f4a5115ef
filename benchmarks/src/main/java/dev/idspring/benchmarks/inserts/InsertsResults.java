package dev.idspring.benchmarks.inserts;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What was measured while rows were inserted.
 *
 * @param servers what the servers say they are
 * @param preloaded how many rows each table had before
 * @param seconds for how long each run was measured
 * @param runs rows inserted by concurrent writers
 * @param sizes what became of the tables
 * @param failures what could not be measured, and why
 */
public record InsertsResults(List<String> servers, int preloaded, double seconds, List<Run> runs, List<Size> sizes,
		List<String> failures) {

	/**
	 * Create results. What is missing is empty.
	 */
	public InsertsResults {
		servers = orEmpty(servers);
		runs = orEmpty(runs);
		sizes = orEmpty(sizes);
		failures = orEmpty(failures);
	}

	private static <T> List<T> orEmpty(@Nullable List<T> list) {
		return (list != null) ? list : new ArrayList<>();
	}

	static InsertsResults empty(int preloaded, double seconds) {
		return new InsertsResults(new ArrayList<>(), preloaded, seconds, new ArrayList<>(), new ArrayList<>(),
				new ArrayList<>());
	}

	/**
	 * Some writers that insert as fast as they can.
	 *
	 * @param server the database
	 * @param scheme the title of the scheme
	 * @param writers how many
	 * @param batch how many rows a transaction has
	 * @param round which time this was measured
	 * @param rowsPerSecond how many rows were committed
	 * @param commits how many transactions were
	 * @param deadlocks how many were rolled back by the database because of a deadlock
	 * @param duplicates how many because the key was there already
	 */
	public record Run(String server, String scheme, int writers, int batch, int round, double rowsPerSecond,
			long commits, long deadlocks, long duplicates) {

	}

	/**
	 * A table after all runs.
	 *
	 * @param server the database
	 * @param scheme the title of the scheme
	 * @param rows how many rows it has
	 * @param tableBytes how large it is, without indexes
	 * @param indexBytes how large the index of the key is; where that is the table itself
	 * the same number
	 * @param logBytesPerRow how many bytes of log a row cost in the runs
	 * @param missesPerRow how many pages were not in the database's memory for each row
	 */
	public record Size(String server, String scheme, long rows, long tableBytes, long indexBytes, double logBytesPerRow,
			double missesPerRow) {

	}

}
