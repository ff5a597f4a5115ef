package dev.idspring.benchmarks.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.inserts.InsertsPart;
import dev.idspring.benchmarks.inserts.InsertsResults;
import dev.idspring.benchmarks.report.InsertSpeeds.Comparison;
import dev.idspring.benchmarks.report.InsertSpeeds.Setting;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Generates {@code INSERTS.md}, its charts and the table in {@code docs/performance.md}
 * from the results of the insert benchmark. All measured numbers and all verdicts come
 * from these results. A scheme is a source of primary keys.
 */
public final class InsertsReport {

	private static final Quote INSERTS = new Quote("inserts");

	private static final double CLEAR_RATIO = 1.2;

	/**
	 * The number of writers for the table by which users choose a scheme, and for the
	 * claims about ten writers.
	 */
	private static final int MANY_WRITERS = 10;

	private static final int SEVERAL_WRITERS = 4;

	private static final String SEQUENTIAL = "sequential";

	private static final String RECYCLED = "recycled";

	private static final String CHOICE_CHART = "inserts.svg";

	private final InsertsResults insertsResults;

	private final InsertSpeeds speeds;

	private final Outcome outcome;

	private final Mode mode;

	private final Path target;

	private final Path directory;

	/**
	 * Read the results.
	 * @param results the results
	 * @param mode the mode of the measurement
	 * @param target the directory of the build
	 */
	public InsertsReport(Results results, Mode mode, Path target) {
		this.insertsResults = results.read(InsertsPart.NAME, InsertsResults.class);
		this.speeds = new InsertSpeeds(this.insertsResults.runs());
		this.outcome = results.read(Outcome.file(InsertsPart.NAME), Outcome.class);
		this.mode = mode;
		this.target = target;
		this.directory = (mode == Mode.FULL) ? Objects.requireNonNull(target.getParent()) : results.directory();
	}

	/**
	 * Write the report, if there are results. The report of a quick run is not published.
	 */
	public void write() throws IOException {
		if (this.insertsResults.runs().isEmpty()) {
			return;
		}
		Path charts = Files.createDirectories(this.directory.resolve("charts"));
		for (String server : this.speeds.servers()) {
			for (int batch : this.speeds.batches()) {
				draw("%s: inserts per second as ratio to identity, %s".formatted(server, rows(batch)),
						this.speeds.writers()
							.stream()
							.collect(toMap(InsertsReport::writers, (writers) -> new Setting(server, batch, writers))),
						charts.resolve(chart(server, batch)));
			}
		}
		draw("%s: inserts per second as ratio to identity".formatted(writers(writersForChoice())),
				settingsForChoice().stream().collect(toMap(InsertsReport::title, (setting) -> setting)),
				charts.resolve(CHOICE_CHART));
		Path file = Files.writeString(this.directory.resolve("INSERTS.md"), markdown());
		System.out.println("\nWritten to " + file);
		if (this.mode == Mode.FULL) {
			INSERTS.replaceIn(this.directory.resolveSibling("docs").resolve("performance.md"), choiceTable());
		}
	}

	private static <T> Collector<T, ?, Map<String, Setting>> toMap(Function<T, String> title,
			Function<T, Setting> setting) {
		return Collectors.toMap(title, setting, (one, other) -> one, LinkedHashMap::new);
	}

	private static String chart(String server, int batch) {
		return "inserts-%s-%s.svg".formatted(server.toLowerCase(Locale.ROOT), (batch == 1) ? "rows" : "batches");
	}

	private void draw(String title, Map<String, Setting> settings, Path file) throws IOException {
		CategoryChart chart = new CategoryChartBuilder().width(1000)
			.height(480)
			.title(title)
			.yAxisTitle("ratio")
			.build();
		CategoryStyler styler = chart.getStyler();
		styler.setAvailableSpaceFill(0.8);
		styler.setXAxisLabelRotation(90);
		styler.setPlotBorderVisible(false);
		styler.setChartBackgroundColor(Color.WHITE);
		styler.setLegendPosition(LegendPosition.OutsideS);
		styler.setLegendLayout(LegendLayout.Horizontal);
		List<String> schemes = this.speeds.schemes()
			.stream()
			.filter((scheme) -> settings.values().stream().allMatch((setting) -> ratio(setting, scheme) != null))
			.toList();
		if (schemes.isEmpty()) {
			return;
		}
		settings.forEach((name, setting) -> chart.addSeries(name, schemes,
				schemes.stream().map((scheme) -> ratio(setting, scheme)).toList()));
		VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
	}

	private String markdown() {
		StringBuilder text = new StringBuilder(
				"""
						# Which keys are inserted fastest

						A program runs the measurements and writes this report:

						```shell
						mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar inserts
						```

						If `IDS_TEST_POSTGRESQL_URL` or `IDS_TEST_MARIADB_URL` is set, the program uses that server, however much memory it has.
						Otherwise, the program starts a server.%s

						%s
						A scheme is a source of primary keys. Each scheme has its own table
						`(id primary key, customer bigint, note varchar(100))`, which contains %,d rows at the beginning. Servers that the
						program starts have less memory than the tables and their indexes need: `shared_buffers` of 2 MB (PostgreSQL), or an
						`innodb_buffer_pool_size` of 12 MB (MariaDB). Pages that PostgreSQL does not find in its own memory may still be in the
						page cache of the operating system.

						In each transaction, a writer inserts one row, or a batch of %d rows. Writers do this for %s seconds. If the database
						rolls back a transaction, the writer continues with the next one. A transaction counts if it ends within the
						measurement. At the beginning, each scheme runs once as a warm-up, whose speed does not count. For each number of
						writers and each batch size, there are several rounds. A round measures each scheme once, in a random order.

						`recycled` has one series per writer. `max + 1, locked` locks the table on PostgreSQL. On MariaDB it reads the greatest
						key `for update`: gap locks let all writers do this at the same time, and then their inserts deadlock.

						Unless stated otherwise, numbers are ratios to the scheme `identity, auto-increment` with the same number of writers on
						the same database. A ratio is computed for each round, and the median of the rounds is shown. In nine out of ten cases,
						the ratio of a round differs from this median by less than %d %%. A scheme is called faster than another one only if it
						was faster in each of the %d rounds, and slower only if it was slower in each of them. If two schemes are equally fast,
						the probability of such a result is 1 in %d.

						"""
					.formatted((this.mode == Mode.QUICK)
							? " **These results are from a quick run, or from a run that failed. Do not quote them.**"
							: "", machine(), this.insertsResults.preloaded(), InsertsPart.BATCH,
							Table.number(this.insertsResults.seconds()), percent(this.speeds.deviation()),
							this.speeds.rounds(), 1L << (this.speeds.rounds() - 1)));
		text.append("## Summary\n\n")
			.append(INSERTS.marked(choiceTable()))
			.append("\n\n![](charts/")
			.append(CHOICE_CHART)
			.append(")\n\n");
		text.append(fastest()).append("\n## Claims from 1994\n\n").append(claims());
		for (String server : this.speeds.servers()) {
			text.append("\n## ").append(server).append("\n");
			for (int batch : this.speeds.batches()) {
				text.append("\n### %s, %s\n\n![](charts/%s)\n\n%s".formatted(server, rows(batch), chart(server, batch),
						ratios(server, batch)));
			}
			text.append("\n### %s, what a row costs\n\n%s".formatted(server, sizes(server)));
		}
		List<String> failures = new ArrayList<>(this.insertsResults.failures());
		if (this.outcome.problem() != null) {
			failures.add("the run " + this.outcome.problem());
		}
		if (!failures.isEmpty()) {
			text.append("\n## What failed\n\n");
			failures.forEach((failure) -> text.append("- ").append(failure).append("\n"));
		}
		return text.toString();
	}

	private String machine() {
		return new Table("", "").row("cores", Machine.processors())
			.row("system", Machine.operatingSystem())
			.row("databases", String.join(", ", this.insertsResults.servers()))
			.row("libraries", Machine.libraries(this.target.resolve("lib")))
			.row("measured", Machine.circumstances(this.outcome))
			.toString();
	}

	private static long percent(double share) {
		return Math.round(share * 100);
	}

	private static String rows(int batch) {
		return (batch == 1) ? "single rows" : "batches of " + batch;
	}

	private static String writers(int writers) {
		return (writers == 1) ? "1 writer" : writers + " writers";
	}

	private static String title(Setting setting) {
		return setting.server() + ", " + rows(setting.batch());
	}

	/**
	 * Return the number of writers for the table by which users choose a scheme.
	 */
	private int writersForChoice() {
		List<Integer> writers = this.speeds.writers();
		return writers.contains(MANY_WRITERS) ? MANY_WRITERS : writers.get(writers.size() - 1);
	}

	private List<Setting> settingsForChoice() {
		return this.speeds.servers()
			.stream()
			.flatMap((server) -> this.speeds.batches()
				.stream()
				.map((batch) -> new Setting(server, batch, writersForChoice())))
			.toList();
	}

	/**
	 * Return the table that {@code docs/performance.md} quotes, by which users choose a
	 * scheme.
	 */
	private String choiceTable() {
		List<String> titles = new ArrayList<>(List.of("keys from"));
		settingsForChoice().forEach((setting) -> titles.add(title(setting)));
		this.speeds.servers().forEach((server) -> titles.add("%s, %s, bytes per row".formatted(server, index(server))));
		Table table = new Table(titles);
		for (String scheme : this.speeds.schemes()) {
			List<String> cells = new ArrayList<>(List.of(scheme));
			settingsForChoice().forEach((setting) -> cells.add(Table.number(ratio(setting, scheme))));
			this.speeds.servers().forEach((server) -> cells.add(Table.number(indexBytes(server, scheme))));
			table.row(cells);
		}
		return "Inserts per second, relative to identity, %s:\n\n".formatted(writers(writersForChoice())) + table;
	}

	/**
	 * Return the title for the size of the primary key's index. On some servers, that
	 * index also contains the rows.
	 */
	private String index(String server) {
		return isClustered(server) ? "table with index" : "index";
	}

	private boolean isClustered(String server) {
		return sizesOf(server).findAny().isPresent()
				&& sizesOf(server).allMatch((size) -> size.indexBytes() == size.tableBytes());
	}

	private Stream<InsertsResults.Size> sizesOf(String server) {
		return this.insertsResults.sizes().stream().filter((size) -> size.server().equals(server));
	}

	private @Nullable Double indexBytes(String server, String scheme) {
		return sizesOf(server).filter((size) -> size.scheme().equals(scheme))
			.map((size) -> (double) size.indexBytes() / Math.max(1, size.rows()))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return a list with an item for each setting of the table by which users choose a
	 * scheme. Each item names the schemes that are fast, and those that are slow.
	 */
	private String fastest() {
		StringBuilder text = new StringBuilder();
		for (Setting setting : settingsForChoice()) {
			List<String> sorted = this.speeds.schemes()
				.stream()
				.filter((scheme) -> ratio(setting, scheme) != null)
				.sorted(Comparator.comparingDouble((String scheme) -> orZero(ratio(setting, scheme))).reversed())
				.toList();
			if (sorted.isEmpty()) {
				continue;
			}
			double highest = orZero(ratio(setting, sorted.get(0)));
			String alike = sorted.stream()
				.skip(1)
				.filter((scheme) -> !isSlower(setting, scheme, sorted.get(0)))
				.collect(Collectors.joining("; "));
			String slow = sorted.stream()
				.filter((scheme) -> orZero(ratio(setting, scheme)) <= highest / 2)
				.map((scheme) -> "%s (%s x)".formatted(scheme, Table.number(ratio(setting, scheme))))
				.collect(Collectors.joining("; "));
			text.append("- **%s, %s**: %s has the highest ratio (%s x identity).%s %s\n".formatted(title(setting),
					writers(setting.writers()), sorted.get(0), Table.number(highest),
					alike.isEmpty() ? "" : " At least as fast in one round or more: " + alike + ".",
					slow.isEmpty() ? "All others are more than half as fast." : "At most half as fast: " + slow + "."));
		}
		return text.toString();
	}

	private boolean isSlower(Setting setting, String scheme, String other) {
		Comparison comparison = this.speeds.comparison(setting, scheme, other);
		return comparison == null || comparison.isAlwaysLessThan(1);
	}

	private static double orZero(@Nullable Double number) {
		return (number != null) ? number : 0;
	}

	/**
	 * Compare the published claims about {@code recycled} with the results.
	 */
	private String claims() {
		StringBuilder text = new StringBuilder(("These claims were published with the scheme that is now `recycled`."
				+ " \"Clearly faster\" means at least %s x.\n\nThe writers and the server shared the cores of one machine: %s."
				+ " The results do not apply to machines with more cores.\n\n")
			.formatted(Table.number(CLEAR_RATIO), Machine.processors()));
		for (String server : this.speeds.servers()) {
			Claims claims = new Claims();
			for (int batch : this.speeds.batches()) {
				addClaims(server, batch, claims);
			}
			text.append("- **%s: %d of %d claims hold, %d are undecided.**\n".formatted(server, claims.confirmed,
					claims.total, claims.undecided));
			claims.lines.forEach((line) -> text.append("  - ").append(line).append("\n"));
		}
		return text.toString();
	}

	private void addClaims(String server, int batch, Claims claims) {
		Comparison one = comparisonWithSequential(new Setting(server, batch, 1));
		if (one != null) {
			claims.add("ascending keys are fastest with one writer", batch, ratioWithRange(one),
					one.isAlwaysLessThan(1), one.isAlwaysMoreThan(1));
		}
		List<String> ratios = new ArrayList<>();
		List<Comparison> comparisons = new ArrayList<>();
		for (int writers : this.speeds.writers()) {
			Comparison comparison = comparisonWithSequential(new Setting(server, batch, writers));
			if (comparison != null) {
				ratios.add("%s x with %d%s".formatted(Table.number(comparison.ratio()), writers,
						comparison.isAlwaysMoreThan(1) ? " (faster)"
								: comparison.isAlwaysLessThan(1) ? " (slower)" : ""));
				if (writers >= SEVERAL_WRITERS) {
					comparisons.add(comparison);
				}
			}
		}
		claims.add("`recycled` is faster from four or five writers on", batch, String.join(", ", ratios),
				!comparisons.isEmpty() && comparisons.stream().allMatch((comparison) -> comparison.isAlwaysMoreThan(1)),
				comparisons.stream().anyMatch((comparison) -> comparison.isAlwaysLessThan(1)));
		Setting ten = new Setting(server, batch, MANY_WRITERS);
		Comparison many = comparisonWithSequential(ten);
		if (many != null) {
			claims.add("`recycled` is clearly faster with ten writers", batch, ratioWithRange(many),
					many.isAlwaysMoreThan(1) && many.ratio() >= CLEAR_RATIO, many.isAlwaysLessThan(CLEAR_RATIO));
			long recycled = this.speeds.transactionCounts(ten, RECYCLED).deadlocks();
			long sequential = this.speeds.transactionCounts(ten, SEQUENTIAL).deadlocks();
			boolean none = recycled + sequential == 0;
			claims.add("`recycled` has fewer deadlocks with ten writers", batch,
					none ? "neither scheme has deadlocks" : "%,d and %,d".formatted(recycled, sequential),
					recycled < sequential, !none && recycled >= sequential);
		}
	}

	private static String ratioWithRange(Comparison comparison) {
		return "`recycled` inserts %s x as many rows as `sequential` (%s x to %s x in the rounds)".formatted(
				Table.number(comparison.ratio()), Table.number(Collections.min(comparison.rounds())),
				Table.number(Collections.max(comparison.rounds())));
	}

	private @Nullable Comparison comparisonWithSequential(Setting setting) {
		return this.speeds.comparison(setting, RECYCLED, SEQUENTIAL);
	}

	private String ratios(String server, int batch) {
		List<String> titles = new ArrayList<>(List.of("keys from"));
		this.speeds.writers().forEach((writers) -> titles.add(writers(writers)));
		titles.add("rollbacks per 1,000 commits (deadlocks, duplicate keys)");
		Table table = new Table(titles);
		for (String scheme : this.speeds.schemes()) {
			List<String> cells = new ArrayList<>(List.of(scheme));
			List<String> rolledBack = new ArrayList<>();
			for (int writers : this.speeds.writers()) {
				Setting setting = new Setting(server, batch, writers);
				Double rate = this.speeds.rowsPerSecond(setting, scheme);
				cells.add((rate == null) ? Table.noValue() : scheme.equals(InsertsPart.BASE)
						? "%,d rows/s".formatted(Math.round(rate)) : Table.number(ratio(setting, scheme)) + " x");
				String number = this.speeds.transactionCounts(setting, scheme).rollbacksPerThousandCommits();
				if (number != null) {
					rolledBack.add(number + " with " + writers);
				}
			}
			cells.add(rolledBack.isEmpty() ? "none" : String.join("; ", rolledBack));
			table.row(cells);
		}
		return table.toString();
	}

	private String sizes(String server) {
		List<String> titles = new ArrayList<>(List.of("keys from", "rows", index(server) + ", bytes per row"));
		if (!isClustered(server)) {
			titles.add("table, bytes per row");
		}
		titles.addAll(List.of("log, bytes per row", "pages not in memory, per row"));
		Table table = new Table(titles);
		sizesOf(server).sorted(Comparator.comparingInt((size) -> InsertsPart.TITLES.indexOf(size.scheme())))
			.forEach((size) -> {
				double rows = Math.max(1, size.rows());
				List<String> cells = new ArrayList<>(
						List.of(size.scheme(), "%,d".formatted(size.rows()), Table.number(size.indexBytes() / rows)));
				if (!isClustered(server)) {
					cells.add(Table.number(size.tableBytes() / rows));
				}
				cells.addAll(List.of(Table.number(size.logBytesPerRow()), Table.number(size.missesPerRow())));
				table.row(cells);
			});
		return table.toString();
	}

	private @Nullable Double ratio(Setting setting, String scheme) {
		return this.speeds.ratio(setting, scheme, InsertsPart.BASE);
	}

	/**
	 * The claims about a server, and how many of them hold.
	 */
	private static final class Claims {

		private final List<String> lines = new ArrayList<>();

		private int total;

		private int confirmed;

		private int undecided;

		void add(String claim, int batch, String measured, boolean holds, boolean fails) {
			this.total++;
			this.confirmed += holds ? 1 : 0;
			this.undecided += (holds || fails) ? 0 : 1;
			this.lines.add("%s, %s: %s – **%s**".formatted(rows(batch), claim, measured,
					holds ? "holds" : fails ? "does not hold" : "undecided"));
		}

	}

}
