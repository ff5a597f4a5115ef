package dev.idspring.benchmarks.report;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Median;
import dev.idspring.benchmarks.inserts.InsertsPart;
import dev.idspring.benchmarks.inserts.InsertsResults.Run;
import org.jspecify.annotations.Nullable;

/**
 * The rates at which rows were inserted with different key schemes. Results are medians
 * over the rounds of the benchmark. Ratios are computed within each round, because rates
 * that were measured shortly after each other can be compared best.
 */
final class InsertSpeeds {

	private final List<Run> runs;

	/**
	 * Create speeds from runs. Each run measured one scheme in one round.
	 */
	InsertSpeeds(List<Run> runs) {
		this.runs = runs.stream().sorted(Comparator.comparingInt(Run::round)).toList();
	}

	List<String> servers() {
		return distinct(Run::server);
	}

	/**
	 * Return the schemes, in the order in which {@link InsertsPart} lists them.
	 */
	List<String> schemes() {
		return this.runs.stream()
			.map(Run::scheme)
			.distinct()
			.sorted(Comparator.comparingInt(InsertsPart.TITLES::indexOf))
			.toList();
	}

	List<Integer> writers() {
		return distinct(Run::writers).stream().sorted().toList();
	}

	List<Integer> batches() {
		return distinct(Run::batch).stream().sorted().toList();
	}

	private <T> List<T> distinct(Function<Run, T> property) {
		return this.runs.stream().map(property).distinct().toList();
	}

	/**
	 * Return the number of rows that were committed per second.
	 * @return the median, or {@code null} if it was not measured
	 */
	@Nullable Double rowsPerSecond(Setting setting, String scheme) {
		return median(runs(setting, scheme).map(Run::rowsPerSecond));
	}

	/**
	 * Return the ratio of a scheme's rate to that of another scheme.
	 * @return the median ratio, or {@code null} if it was not measured
	 */
	@Nullable Double ratio(Setting setting, String scheme, String base) {
		return median(ratios(setting, scheme, base));
	}

	/**
	 * Compare a scheme's rate to that of another scheme.
	 * @return the comparison, or {@code null} if it was not measured
	 */
	@Nullable Comparison comparison(Setting setting, String scheme, String base) {
		Double ratio = ratio(setting, scheme, base);
		return (ratio != null) ? new Comparison(ratio, ratios(setting, scheme, base).toList()) : null;
	}

	/**
	 * Return the number of rounds.
	 */
	long rounds() {
		return this.runs.stream().mapToInt(Run::round).distinct().count();
	}

	private Stream<Double> ratios(Setting setting, String scheme, String base) {
		return runs(setting, scheme)
			.flatMap((run) -> runs(setting, base).filter((other) -> other.round() == run.round())
				.filter((other) -> other.rowsPerSecond() > 0)
				.map((other) -> run.rowsPerSecond() / other.rowsPerSecond()));
	}

	/**
	 * Return how far the ratios of single rounds deviate from their median: the 90th
	 * percentile of the relative deviations. A round whose ratio is the median does not
	 * count.
	 */
	double deviation() {
		double[] all = servers().stream()
			.flatMap((server) -> batches().stream()
				.flatMap((batch) -> writers().stream().map((writers) -> new Setting(server, batch, writers))))
			.flatMap((setting) -> schemes().stream()
				.filter((scheme) -> !scheme.equals(InsertsPart.BASE))
				.flatMap((scheme) -> deviations(setting, scheme)))
			.mapToDouble(Double::doubleValue)
			.sorted()
			.toArray();
		return (all.length > 0) ? all[(all.length - 1) * 9 / 10] : 0;
	}

	private Stream<Double> deviations(Setting setting, String scheme) {
		Double median = ratio(setting, scheme, InsertsPart.BASE);
		if (median == null || median == 0) {
			return Stream.empty();
		}
		List<Double> all = ratios(setting, scheme, InsertsPart.BASE).map((ratio) -> Math.abs(ratio / median - 1))
			.sorted()
			.toList();
		return all.stream().skip(all.size() % 2);
	}

	/**
	 * Return the numbers of commits and rollbacks in all rounds together.
	 */
	TransactionCounts transactionCounts(Setting setting, String scheme) {
		return runs(setting, scheme)
			.map((run) -> new TransactionCounts(run.commits(), run.deadlocks(), run.duplicates()))
			.reduce(new TransactionCounts(0, 0, 0), TransactionCounts::plus);
	}

	private Stream<Run> runs(Setting setting, String scheme) {
		return this.runs.stream()
			.filter((run) -> run.server().equals(setting.server()) && run.batch() == setting.batch()
					&& run.writers() == setting.writers() && run.scheme().equals(scheme));
	}

	private static @Nullable Double median(Stream<Double> values) {
		List<Double> all = values.toList();
		return all.isEmpty() ? null : Median.of(all.stream().mapToDouble(Double::doubleValue));
	}

	/**
	 * The ratio of a scheme's rate to that of another scheme. If both are equally fast,
	 * the probability that the same one is faster in each of five rounds is 1/16.
	 *
	 * @param ratio the median of the ratios
	 * @param rounds the ratios of the rounds
	 */
	record Comparison(double ratio, List<Double> rounds) {

		/**
		 * Return whether the ratio was greater than a limit in each round.
		 */
		boolean isAlwaysMoreThan(double limit) {
			return this.rounds.stream().allMatch((round) -> round > limit);
		}

		/**
		 * Return whether the ratio was less than a limit in each round.
		 */
		boolean isAlwaysLessThan(double limit) {
			return this.rounds.stream().allMatch((round) -> round < limit);
		}

	}

	/**
	 * The conditions under which schemes are compared.
	 *
	 * @param server the database
	 * @param batch the number of rows per transaction
	 * @param writers the number of concurrent writers
	 */
	record Setting(String server, int batch, int writers) {

	}

	/**
	 * The numbers of transactions that were committed or rolled back.
	 *
	 * @param commits the number of transactions that were committed
	 * @param deadlocks the number of transactions that failed because of a deadlock or
	 * because a lock was not available
	 * @param duplicates the number of transactions that failed because of a duplicate key
	 */
	record TransactionCounts(long commits, long deadlocks, long duplicates) {

		private TransactionCounts plus(TransactionCounts other) {
			return new TransactionCounts(this.commits + other.commits, this.deadlocks + other.deadlocks,
					this.duplicates + other.duplicates);
		}

		/**
		 * Format the numbers of deadlocks and duplicates per thousand commits or, if
		 * there were no commits, in total.
		 * @return the string, or {@code null} if there were no rollbacks
		 */
		@Nullable String rollbacksPerThousandCommits() {
			if (this.deadlocks + this.duplicates == 0) {
				return null;
			}
			String rollbacks = "%s, %s".formatted(per(this.deadlocks), per(this.duplicates));
			return (this.commits == 0) ? rollbacks + " and no commit" : rollbacks;
		}

		private String per(long number) {
			return Table.number(number / ((this.commits == 0) ? 1 : this.commits / 1000.0));
		}

	}

}
