package dev.idspring.benchmarks.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.inserts.InsertsPart;
import dev.idspring.benchmarks.inserts.InsertsResults;
import dev.idspring.benchmarks.inserts.InsertsResults.Run;
import dev.idspring.benchmarks.inserts.InsertsResults.Size;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Turns what was measured of inserts into {@code INSERTS.md} and its charts. Nobody types
 * a number, nor a verdict.
 */
public final class InsertsReport {

	/** What counts as the same speed: repeated runs differ by as much. */
	private static final double SAME = 0.1;

	private static final double CLEARLY = 1.2;

	private static final String ORDERED = "sequential";

	private static final String RECYCLED = "recycled";

	private final InsertsResults measured;

	private final Outcome outcome;

	private final Path libraries;

	private final Path directory;

	/**
	 * Read what was measured.
	 * @param results where it is
	 * @param mode how it was measured
	 * @param target the directory of the build
	 */
	public InsertsReport(Results results, Mode mode, Path target) {
		this.measured = results.read(InsertsPart.NAME, InsertsResults.class);
		this.outcome = results.read(Outcome.file(InsertsPart.NAME), Outcome.class);
		this.libraries = target.resolve("lib");
		this.directory = (mode == Mode.FULL) ? Objects.requireNonNull(target.getParent()) : results.directory();
	}

	/**
	 * Write the report, if anything was measured.
	 */
	public void write() throws IOException {
		if (this.measured.runs().isEmpty()) {
			return;
		}
		Path charts = Files.createDirectories(this.directory.resolve("charts"));
		for (String server : servers()) {
			for (int batch : batches()) {
				draw(server, batch, charts.resolve(chart(server, batch)));
			}
		}
		Path file = Files.writeString(this.directory.resolve("INSERTS.md"), markdown());
		System.out.println("\nWritten to " + file);
	}

	private static String chart(String server, int batch) {
		return "inserts-%s-%s.svg".formatted(server.toLowerCase(Locale.ROOT), (batch == 1) ? "rows" : "batches");
	}

	private void draw(String server, int batch, Path file) throws IOException {
		CategoryChart chart = new CategoryChartBuilder().width(1000)
			.height(480)
			.title("%s: inserts per second as ratio to identity, %s".formatted(server, mode(batch)))
			.yAxisTitle("ratio")
			.build();
		CategoryStyler styler = chart.getStyler();
		styler.setAvailableSpaceFill(0.8);
		styler.setXAxisLabelRotation(40);
		styler.setPlotBorderVisible(false);
		styler.setChartBackgroundColor(Color.WHITE);
		styler.setLegendPosition(LegendPosition.InsideNE);
		List<String> schemes = schemes().stream()
			.filter((scheme) -> writers().stream().allMatch((writers) -> ratio(server, scheme, writers, batch) != null))
			.toList();
		for (int writers : writers()) {
			chart.addSeries((writers == 1) ? "1 writer" : writers + " writers", schemes,
					schemes.stream().map((scheme) -> ratio(server, scheme, writers, batch)).toList());
		}
		VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
	}

	private String markdown() {
		StringBuilder text = new StringBuilder(
				"""
						# Which keys are inserted fastest

						Measured and written by a program:

						```shell
						mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar inserts
						```

						Servers that run already are used if `IDS_TEST_POSTGRESQL_URL` and `IDS_TEST_MARIADB_URL` name them.

						%s
						Each scheme has a table `(id primary key, customer bigint, note varchar(100))` of its own, with %,d rows at the beginning,
						in a database whose memory is smaller than the indexes. Writers insert one row, or a batch of %d, in each transaction, for %s
						seconds, and do again what the database rolls back. For each number of writers all schemes take turns. `recycled` has a
						series for each writer. Numbers are ratios to identity with as many writers on the same database, where nothing else is said;
						what differs by less than %d %% is the same.
						"""
					.formatted(machine(), this.measured.preloaded(), InsertsPart.BATCH,
							Table.number(this.measured.seconds()), Math.round(SAME * 100)));
		text.append("\n## In short\n\n").append(verdicts()).append("\n## What was said in 1994\n\n").append(claims());
		for (String server : servers()) {
			text.append("\n## ").append(server).append("\n");
			for (int batch : batches()) {
				text.append("\n### ")
					.append(server)
					.append(", ")
					.append(mode(batch))
					.append("\n\n![](charts/")
					.append(chart(server, batch))
					.append(")\n\n")
					.append(ratios(server, batch));
			}
			text.append("\n### ").append(server).append(", what a row costs\n\n").append(sizes(server));
		}
		if (!this.measured.failures().isEmpty()) {
			text.append("\n## What failed\n\n");
			this.measured.failures().forEach((failure) -> text.append("- ").append(failure).append("\n"));
		}
		return text.toString();
	}

	private String machine() {
		return new Table("", "").row("cores", Machine.cores())
			.row("system", Machine.operatingSystem())
			.row("databases", String.join(", ", this.measured.servers()))
			.row("libraries", Machine.libraries(this.libraries))
			.row("measured",
					"on JDK %s, ended %s, load average before it %s".formatted(this.outcome.jdk(), this.outcome.ended(),
							Table.number(this.outcome.load())))
			.toString();
	}

	private static String mode(int batch) {
		return (batch == 1) ? "single rows" : "batches of " + batch;
	}

	/**
	 * Say for each server and mode what is fastest with ten writers, or nearly so, and
	 * what is slowest.
	 */
	private String verdicts() {
		StringBuilder text = new StringBuilder();
		int many = writers().contains(10) ? 10 : writers().get(writers().size() - 1);
		for (String server : servers()) {
			for (int batch : batches()) {
				List<Run> sorted = this.measured.runs()
					.stream()
					.filter((run) -> run.server().equals(server) && run.batch() == batch && run.writers() == many)
					.sorted(Comparator.comparingDouble(Run::rowsPerSecond).reversed())
					.toList();
				if (sorted.isEmpty()) {
					continue;
				}
				double best = sorted.get(0).rowsPerSecond();
				String same = sorted.stream()
					.skip(1)
					.filter((run) -> run.rowsPerSecond() >= best * (1 - SAME))
					.map(Run::scheme)
					.collect(Collectors.joining("; "));
				String slow = sorted.stream()
					.filter((run) -> run.rowsPerSecond() <= best / 2)
					.map((run) -> "%s (%s x)".formatted(run.scheme(),
							Table.number(ratio(server, run.scheme(), many, batch))))
					.collect(Collectors.joining("; "));
				text.append("- **%s, %s, %d writers**: fastest is %s (%s x identity)%s. %s\n".formatted(server,
						mode(batch), many, sorted.get(0).scheme(),
						Table.number(ratio(server, sorted.get(0).scheme(), many, batch)),
						same.isEmpty() ? "" : "; as fast: " + same,
						slow.isEmpty() ? "Nothing is half as fast or less." : "Half as fast or less: " + slow + "."));
			}
		}
		return text.toString();
	}

	/**
	 * Hold the claims that {@code recycled} was published with against what was measured.
	 */
	private String claims() {
		Table table = new Table("claim", "", "measured", "");
		for (String server : servers()) {
			for (int batch : batches()) {
				String where = server + ", " + mode(batch);
				Double one = against(server, 1, batch);
				if (one != null) {
					table.row("one writer: rising keys are best", where, recycled(one) + " with one writer",
							holds(one <= 1 + SAME));
				}
				breakEven(table, server, batch, where);
				Double ten = against(server, 10, batch);
				if (ten != null) {
					table.row("ten writers: `recycled` is clearly ahead", where, recycled(ten) + " with ten",
							holds(ten >= CLEARLY));
				}
				Run ordered = run(server, ORDERED, 10, batch);
				Run recycled = run(server, RECYCLED, 10, batch);
				if (ordered != null && recycled != null) {
					table.row("ten writers: `recycled` has fewer deadlocks", where,
							"%,d and %,d".formatted(recycled.deadlocks(), ordered.deadlocks()),
							holds(recycled.deadlocks() < ordered.deadlocks()));
				}
			}
		}
		return table.toString();
	}

	private void breakEven(Table table, String server, int batch, String where) {
		List<String> all = new ArrayList<>();
		Integer from = null;
		for (int writers : writers()) {
			Double ratio = against(server, writers, batch);
			if (ratio != null) {
				all.add("%s with %d".formatted(Table.number(ratio), writers));
				from = (from == null && ratio > 1 + SAME) ? Integer.valueOf(writers) : from;
			}
		}
		table.row("`recycled` is ahead of `sequential` from four or five writers on", where, String.join(", ", all),
				(from == null) ? "does not hold: never by more than %d %%".formatted(Math.round(SAME * 100))
						: (from == 1 || from > 10) ? "does not hold: from " + from : "holds: from " + from);
	}

	private static String recycled(double ratio) {
		return "`recycled` makes %s x of `sequential`".formatted(Table.number(ratio));
	}

	private static String holds(boolean holds) {
		return holds ? "holds" : "does not hold";
	}

	private @Nullable Double against(String server, int writers, int batch) {
		Run ordered = run(server, ORDERED, writers, batch);
		Run recycled = run(server, RECYCLED, writers, batch);
		return (ordered != null && recycled != null) ? recycled.rowsPerSecond() / ordered.rowsPerSecond() : null;
	}

	private String ratios(String server, int batch) {
		List<String> titles = new ArrayList<>(List.of("keys from"));
		writers().forEach((writers) -> titles.add((writers == 1) ? "1 writer" : writers + " writers"));
		titles.add("rolled back for 1,000 commits: deadlocks, duplicates");
		Table table = new Table(titles);
		for (String scheme : schemes()) {
			List<String> cells = new ArrayList<>(List.of(scheme));
			for (int writers : writers()) {
				Run run = run(server, scheme, writers, batch);
				cells.add((run == null) ? Table.nothing()
						: scheme.equals(InsertsPart.BASE) ? "%,d rows/s".formatted(Math.round(run.rowsPerSecond()))
								: Table.number(ratio(server, scheme, writers, batch)) + " x");
			}
			cells.add(rolledBack(server, scheme, batch));
			table.row(cells);
		}
		return table.toString();
	}

	private String rolledBack(String server, String scheme, int batch) {
		List<String> all = new ArrayList<>();
		for (int writers : writers()) {
			Run run = run(server, scheme, writers, batch);
			if (run != null && run.deadlocks() + run.duplicates() > 0) {
				double commits = Math.max(1, run.commits()) / 1000.0;
				all.add("%s, %s with %d".formatted(Table.number(run.deadlocks() / commits),
						Table.number(run.duplicates() / commits), writers));
			}
		}
		return all.isEmpty() ? "none" : String.join("; ", all);
	}

	private String sizes(String server) {
		Table table = new Table("keys from", "rows", "index, bytes a row", "table, bytes a row", "log, bytes a row",
				"pages not in memory, a row");
		for (Size size : this.measured.sizes()) {
			if (size.server().equals(server)) {
				double rows = Math.max(1, size.rows());
				table.row(size.scheme(), "%,d".formatted(size.rows()), Table.number(size.indexBytes() / rows),
						Table.number(size.tableBytes() / rows), Table.number(size.logBytesPerRow()),
						Table.number(size.missesPerRow()));
			}
		}
		return table.toString();
	}

	private @Nullable Double ratio(String server, String scheme, int writers, int batch) {
		Run run = run(server, scheme, writers, batch);
		Run base = run(server, InsertsPart.BASE, writers, batch);
		return (run != null && base != null) ? run.rowsPerSecond() / base.rowsPerSecond() : null;
	}

	private @Nullable Run run(String server, String scheme, int writers, int batch) {
		return this.measured.runs()
			.stream()
			.filter((run) -> run.server().equals(server) && run.scheme().equals(scheme) && run.writers() == writers
					&& run.batch() == batch)
			.findFirst()
			.orElse(null);
	}

	private List<String> servers() {
		return this.measured.runs().stream().map(Run::server).distinct().toList();
	}

	private List<String> schemes() {
		return this.measured.runs().stream().map(Run::scheme).distinct().toList();
	}

	private List<Integer> writers() {
		return this.measured.runs().stream().map(Run::writers).distinct().sorted().toList();
	}

	private List<Integer> batches() {
		return this.measured.runs().stream().map(Run::batch).distinct().sorted().toList();
	}

}
