package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.start.Contestant;
import dev.idspring.benchmarks.start.StartPart;
import dev.idspring.benchmarks.start.StartResults;
import dev.idspring.benchmarks.start.StartResults.Archive;
import dev.idspring.benchmarks.start.StartResults.Setup;

/**
 * Generates {@code STARTS.md}, the table in {@code docs/starts.md} and a sentence of the
 * README from the results of the startup measurements. All measured numbers come from
 * these results.
 */
public final class StartReport {

	private static final Quote STARTS = new Quote("starts");

	private static final Quote SENTENCE = new Quote("start");

	private final List<Setup> setups;

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
	public StartReport(Results results, Mode mode, Path target) {
		this.setups = results.read(StartPart.NAME, StartResults.class).setups();
		this.outcome = results.read(Outcome.file(StartPart.NAME), Outcome.class);
		this.mode = mode;
		this.target = target;
		this.results = results.directory();
	}

	/**
	 * Write the report, if there are results.
	 */
	public void write() throws IOException {
		if (this.setups.isEmpty()) {
			return;
		}
		STARTS.publish(this.mode, this.results, this.target, "STARTS.md", markdown(), "starts.md", starts());
		if (this.mode == Mode.FULL) {
			Path module = Objects.requireNonNull(this.target.getParent());
			SENTENCE.replaceIn(module.resolveSibling("README.md"), sentence());
		}
	}

	private String markdown() {
		return """
				# How long applications take to start

				A program runs the measurements and writes this report:

				```shell
				mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar start
				```

				%s
				%s

				The application is a web application with the actuator and a PostgreSQL database. The time runs from the start of its
				JVM until the application is ready. Each row shows the median of %d starts. In each round, the application is started
				once without an additional starter, and once with each of four starters: ours, and Spring Boot's starters for Flyway
				(with one migration), Quartz (with a job store in the database) and Liquibase (with one change set). All tables already
				exist. In each round, the time with a starter is divided by the time without one. The table shows the median of these
				ratios and its 95 %% confidence interval. With CDS or an AOT cache, the JVM reads an archive that an earlier start wrote.

				%s%s
				"""
			.formatted(
					new Table("", "").row("cores", Machine.processors())
						.row("system", Machine.operatingSystem())
						.row("libraries", Machine.libraries(this.target.resolve("lib")))
						.row("measured", Machine.circumstances(this.outcome)),
					SENTENCE.marked(sentence()), this.setups.get(0).starts().get(Contestant.PLAIN).size(),
					STARTS.marked(starts()), (this.outcome.problem() != null)
							? "\n\n## What failed\n\n- the run " + this.outcome.problem() : "");
	}

	/**
	 * Return the sentence for the first setup: the JDK that ran the benchmarks, without
	 * an archive.
	 */
	private String sentence() {
		return String.format(Locale.ROOT,
				"With the starter, a web application with a database took %.2f times as long to start.\n",
				this.setups.get(0).ratio(Contestant.STARTER));
	}

	private String starts() {
		Table table = new Table("", "starter", "ms", "ratio", "95 % interval", "loaded classes");
		for (Setup setup : this.setups) {
			setup.starts().keySet().forEach((contestant) -> table.row(row(setup, contestant)));
		}
		return """
				%s
				- additional startup time with ours on JDK 17: %s
				- additional startup time with ours on JDK 25 with an AOT cache: %s
				""".formatted(table, additionalTime(17, Archive.NONE), additionalTime(25, Archive.AOT_CACHE));
	}

	private static List<String> row(Setup setup, Contestant contestant) {
		boolean plain = contestant == Contestant.PLAIN;
		List<Double> interval = setup.interval(contestant);
		return List.of(setup.title(), contestant.title(), Table.number(setup.millis(contestant)),
				plain ? Table.noValue() : String.format(Locale.ROOT, "%.3f", setup.ratio(contestant)),
				plain ? Table.noValue() : String.format(Locale.ROOT, "%.3f to %.3f", interval.get(0), interval.get(1)),
				Table.number(setup.classes(contestant)));
	}

	private String additionalTime(int jdk, Archive archive) {
		return this.setups.stream()
			.filter((setup) -> setup.jdk() == jdk && setup.archive() == archive)
			.map((setup) -> Table.number((setup.ratio(Contestant.STARTER) - 1) * 100) + " %")
			.findFirst()
			.orElse(Table.noValue());
	}

}
