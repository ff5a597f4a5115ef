package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.store.FirstPart;
import dev.idspring.benchmarks.store.FirstResults;
import dev.idspring.benchmarks.store.FirstResults.Burst;
import dev.idspring.benchmarks.store.FirstResults.FirstId;

/**
 * Generates {@code FIRST.md} and the tables in {@code docs/performance.md} from the
 * results of the first seconds. All numbers come from the results.
 */
public final class FirstReport {

	private static final Quote FIRST = new Quote("first");

	private final FirstResults measured;

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
		this.measured = results.read(FirstPart.NAME, FirstResults.class);
		this.outcome = results.read(Outcome.file(FirstPart.NAME), Outcome.class);
		this.mode = mode;
		this.target = target;
		this.results = results.directory();
	}

	/**
	 * Write the report, if there are results.
	 */
	public void write() throws IOException {
		if (!this.measured.bursts().isEmpty()) {
			FIRST.publish(this.mode, this.results, this.target, "FIRST.md", markdown(), "performance.md", tables());
		}
	}

	private String markdown() {
		return """
				# The first seconds

				Measured and written by a program:

				```shell
				mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar first
				```

				The database is PostgreSQL on the same machine. A proxy delays each round trip. Tables exist, and the application's
				pool has a connection. The time of ours includes the creation of the starter's beans. A new key space is drawn from by
				two threads in a tight loop. Each number is the median of all rounds.

				%s
				%s"""
			.formatted(new Table("", "").row("cores", Machine.processors())
				.row("libraries", Machine.libraries(this.target.resolve("lib")))
				.row("measured", Machine.circumstances(this.outcome)), FIRST.marked(tables()));
	}

	private String tables() {
		List<String> contestants = this.measured.firstIds().stream().map(FirstId::contestant).distinct().toList();
		Table first = new Table(Stream.concat(Stream.of("first id after, in ms"), contestants.stream()).toList());
		this.measured.firstIds()
			.stream()
			.map(FirstId::delay)
			.distinct()
			.forEach(
					(delay) -> first.row(Stream
						.concat(Stream.of("with %d ms more per round trip".formatted(delay)),
								contestants.stream().map((contestant) -> Table.number(millis(contestant, delay))))
						.toList()));
		Table bursts = new Table("new key space", "seconds", "millions of ids");
		this.measured.bursts()
			.stream()
			.map((burst) -> new Burst(burst.contestant(), burst.seconds(), 0))
			.distinct()
			.forEach((burst) -> bursts.row(burst.contestant(), Integer.toString(burst.seconds()),
					String.format(Locale.ROOT, "%.1f", drawn(burst.contestant()) / 1_000_000)));
		return first + "\n" + bursts;
	}

	private double millis(String contestant, int delay) {
		return median(this.measured.firstIds()
			.stream()
			.filter((one) -> one.contestant().equals(contestant) && one.delay() == delay)
			.mapToDouble(FirstId::millis));
	}

	private double drawn(String contestant) {
		return median(this.measured.bursts()
			.stream()
			.filter((one) -> one.contestant().equals(contestant))
			.mapToDouble(Burst::drawn));
	}

	private static double median(DoubleStream values) {
		double[] sorted = values.sorted().toArray();
		return sorted[sorted.length / 2];
	}

}
