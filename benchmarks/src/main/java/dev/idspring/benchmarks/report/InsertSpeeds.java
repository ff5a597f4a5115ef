package dev.idspring.benchmarks.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.idspring.benchmarks.inserts.InsertsPart;
import dev.idspring.benchmarks.inserts.InsertsResults.Run;
import org.jspecify.annotations.Nullable;

/**
 * How fast rows were inserted. Of several rounds the median counts; ratios are made in
 * each round first, of numbers that were measured shortly after each other.
 */
final class InsertSpeeds {

	private final List<Run> runs;

	/**
	 * Read what was measured.
	 */
	InsertSpeeds(List<Run> runs) {
		this.runs = runs.stream().sorted(Comparator.comparingInt(Run::round)).toList();
	}

	List<String> servers() {
		return distinct(Run::server);
	}

	/**
	 * Return the schemes, in the order in which they were measured first.
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
	 * Return how many rows were committed per second.
	 * @return the number, or {@code null} if that was not measured
	 */
	@Nullable Double rowsPerSecond(Setting setting, String scheme) {
		return median(runs(setting, scheme).map(Run::rowsPerSecond));
	}

	/**
	 * Return how fast a scheme is beside another one.
	 * @return the ratio, or {@code null} if that was not measured
	 */
	@Nullable Double ratio(Setting setting, String scheme, String base) {
		return median(ratios(setting, scheme, base));
	}

	/**
	 * Return how fast a scheme is beside another one, and whether the rounds agree.
	 * @return the comparison, or {@code null} if that was not measured
	 */
	@Nullable Comparison comparison(Setting setting, String scheme, String base) {
		Double ratio = ratio(setting, scheme, base);
		return (ratio != null) ? new Comparison(ratio, ratios(setting, scheme, base).toList()) : null;
	}

	/**
	 * Return how many rounds there were.
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
	 * Return by what share a round differs from the median of its rounds, at most, in
	 * nine of ten cases. A round that is the median itself is no case.
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
	 * Return what was rolled back in all rounds together.
	 */
	RolledBack rolledBack(Setting setting, String scheme) {
		return runs(setting, scheme).map((run) -> new RolledBack(run.commits(), run.deadlocks(), run.duplicates()))
			.reduce(new RolledBack(0, 0, 0), RolledBack::plus);
	}

	private Stream<Run> runs(Setting setting, String scheme) {
		return this.runs.stream()
			.filter((run) -> run.server().equals(setting.server()) && run.batch() == setting.batch()
					&& run.writers() == setting.writers() && run.scheme().equals(scheme));
	}

	private static @Nullable Double median(Stream<Double> values) {
		double[] sorted = values.mapToDouble(Double::doubleValue).sorted().toArray();
		return (sorted.length == 0) ? null
				: Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1).average().orElseThrow();
	}

	/**
	 * How fast a scheme is beside another one. Of two that are the same one is ahead in
	 * all of five rounds once in sixteen times.
	 *
	 * @param ratio the median of the rounds
	 * @param rounds what they were
	 */
	record Comparison(double ratio, List<Double> rounds) {

		/**
		 * Return whether the ratio was greater in each round.
		 */
		boolean isAlwaysMoreThan(double limit) {
			return this.rounds.stream().allMatch((round) -> round > limit);
		}

		/**
		 * Return whether the ratio was less in each round.
		 */
		boolean isAlwaysLessThan(double limit) {
			return this.rounds.stream().allMatch((round) -> round < limit);
		}

	}

	/**
	 * Where schemes are compared.
	 *
	 * @param server the database
	 * @param batch how many rows a transaction has
	 * @param writers how many insert
	 */
	record Setting(String server, int batch, int writers) {

	}

	/**
	 * What the database did not take.
	 *
	 * @param commits what it took
	 * @param deadlocks what it rolled back because of a deadlock
	 * @param duplicates what it refused, as the key was there already
	 */
	record RolledBack(long commits, long deadlocks, long duplicates) {

		private RolledBack plus(RolledBack other) {
			return new RolledBack(this.commits + other.commits, this.deadlocks + other.deadlocks,
					this.duplicates + other.duplicates);
		}

		/**
		 * Say it for a thousand commits.
		 */
		@Nullable String forThousand() {
			if (this.deadlocks + this.duplicates == 0) {
				return null;
			}
			String both = "%s, %s".formatted(per(this.deadlocks), per(this.duplicates));
			return (this.commits == 0) ? both + " and no commit" : both;
		}

		private String per(long number) {
			return Table.number(number / ((this.commits == 0) ? 1 : this.commits / 1000.0));
		}

	}

}
