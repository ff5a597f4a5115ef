package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Median;
import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.store.FirstPart;
import dev.idspring.benchmarks.store.FirstResults;
import dev.idspring.benchmarks.store.FirstResults.Burst;
import dev.idspring.benchmarks.store.FirstResults.FirstId;

/**
 * Generates {@code FIRST.md} and the tables in {@code docs/performance.md} from the
 * results of {@link FirstPart}. All measured numbers come from these results.
 */
public final class FirstReport {

	private static final Quote FIRST = new Quote("first");

	private final FirstResults firstResults;

	private final Outcome outcome;

	private final Mode mode;

	private final Path target;

	private final Path results;

	/**
	 * Read the results.
	 * @param results the results
	 * @param mode the mode of the measurement
	 * @param target the directory of the build
	 */
	public FirstReport(Results results, Mode mode, Path target) {
		this.firstResults = results.read(FirstPart.NAME, FirstResults.class);
		this.outcome = results.read(Outcome.file(FirstPart.NAME), Outcome.class);
		this.mode = mode;
		this.target = target;
		this.results = results.directory();
	}

	/**
	 * Write the report, if there are results.
	 */
	public void write() throws IOException {
		if (!this.firstResults.bursts().isEmpty()) {
			FIRST.publish(this.mode, this.results, this.target, "FIRST.md", markdown(), "performance.md", tables());
		}
	}

	private String markdown() {
		return """
				# The first seconds

				A program runs the measurements and writes this report:

				```shell
				mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar first
				```

				The database is PostgreSQL on the same machine. In the first table, a proxy adds the stated latency to each round trip.
				There is no proxy if the latency is 0 ms. The database's tables already exist, and the application's pool has an open
				connection. "Ours" is this project, and its time includes the creation of the starter's beans. CosId is another library.
				Its chain reserves segments of 1,000 ids (the step) ahead of use. For the second table, two threads draw ids from a new
				key space in a tight loop, without the proxy. Each number is the median of all rounds.

				%s
				%s"""
			.formatted(new Table("", "").row("cores", Machine.processors())
				.row("libraries", Machine.libraries(this.target.resolve("lib")))
				.row("measured", Machine.circumstances(this.outcome)), FIRST.marked(tables()));
	}

	private String tables() {
		List<String> contestants = this.firstResults.firstIds().stream().map(FirstId::contestant).distinct().toList();
		Table first = new Table(
				Stream.concat(Stream.of("time until the first id, in ms"), contestants.stream()).toList());
		inOrder(this.firstResults.firstIds(), FirstId::delay).forEach((delay, atDelay) -> {
			Map<String, List<FirstId>> byContestant = inOrder(atDelay, FirstId::contestant);
			List<String> row = new ArrayList<>(
					List.of("with %d ms of additional latency per round trip".formatted(delay)));
			contestants
				.forEach((contestant) -> row.add(Table.number(median(byContestant.get(contestant), FirstId::millis))));
			first.row(row);
		});
		Table bursts = new Table("new key space", "seconds", "millions of ids");
		inOrder(this.firstResults.bursts(), Burst::contestant)
			.forEach((contestant, all) -> bursts.row(contestant, Integer.toString(all.get(0).seconds()),
					String.format(Locale.ROOT, "%.1f", median(all, Burst::drawn) / 1_000_000)));
		return first + "\n" + bursts;
	}

	/**
	 * Group values in the order in which they were measured.
	 */
	private static <K, V> Map<K, List<V>> inOrder(List<V> values, Function<V, K> key) {
		return values.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
	}

	private static <V> double median(List<V> values, ToDoubleFunction<V> value) {
		return Median.of(values.stream().mapToDouble(value));
	}

}
