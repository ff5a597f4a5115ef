package dev.idspring.benchmarks.inserts;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The results of the benchmark that inserts rows.
 *
 * @param servers the names and versions of the servers
 * @param preloaded the initial number of rows in each table
 * @param seconds how long each run is measured, in seconds
 * @param runs the results of runs with concurrent writers
 * @param sizes the sizes of the tables after all runs
 * @param failures the measurements that failed, with the reasons
 */
public record InsertsResults(List<String> servers, int preloaded, double seconds, List<Run> runs, List<Size> sizes,
		List<String> failures) {

	/**
	 * Create results. A missing list becomes an empty list.
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
	 * The result of writers that insert as fast as possible.
	 *
	 * @param server the database
	 * @param scheme the title of the source of keys
	 * @param writers the number of concurrent writers
	 * @param batch the number of rows per transaction
	 * @param round the index of the round
	 * @param rowsPerSecond the number of rows that were committed per second
	 * @param commits the number of transactions that were committed
	 * @param deadlocks the number of transactions that failed because of a deadlock or
	 * because a lock was not available
	 * @param duplicates the number of transactions that failed because of a duplicate key
	 */
	public record Run(String server, String scheme, int writers, int batch, int round, double rowsPerSecond,
			long commits, long deadlocks, long duplicates) {

	}

	/**
	 * The size of a table after all runs.
	 *
	 * @param server the database
	 * @param scheme the title of the source of keys
	 * @param rows the number of rows
	 * @param tableBytes the size of the table without indexes
	 * @param indexBytes the size of the primary key's index. If that index contains the
	 * rows, this is the size of the table
	 * @param logBytesPerRow the number of bytes per row that the runs added to the
	 * database's log
	 * @param missesPerRow the number of pages per row that the database had to read
	 * because they were not in its memory
	 */
	public record Size(String server, String scheme, long rows, long tableBytes, long indexBytes, double logBytesPerRow,
			double missesPerRow) {

	}

}
