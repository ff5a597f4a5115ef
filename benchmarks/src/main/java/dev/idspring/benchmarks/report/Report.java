package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.raw.InMemory;
import dev.idspring.benchmarks.raw.RawPart;
import dev.idspring.benchmarks.store.StorePart;
import dev.idspring.benchmarks.store.StoreResults;
import dev.idspring.benchmarks.virtual.VirtualPart;
import dev.idspring.benchmarks.virtual.VirtualResults;
import org.jspecify.annotations.Nullable;

/**
 * Generates {@code RESULTS.md} from the results, and its summaries in the README and in
 * {@code docs/performance.md}. All measured numbers come from the results.
 */
public final class Report {

	/**
	 * The parts whose results are in this report. In the results, the name of a part may
	 * be followed by the version of the JDK that ran it.
	 */
	private static final List<String> PARTS = List.of(RawPart.NAME, VirtualPart.NAME, StorePart.NAME);

	private static final Quote FIGURES = new Quote("figures");

	private static final Quote SHORT = new Quote("short");

	private static final Quote RATIOS = new Quote("ratios");

	private static final String COMMAND = "mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package"
			+ " && java -jar benchmarks/target/benchmarks.jar";

	private static final List<Integer> THREADS = List.of(1, 2, 8);

	private static final String CELL_OF_THREAD = "a memory cell, selected by the thread id";

	private static final String ENDLESS_STRIPE = "a stripe of ours that is never used up";

	private static final String TICKER_AND_COUNTER = "the minimum: a ticker and one shared counter";

	private static final String EMPTY_BULK = "allocating a `long[256]`, per element";

	private static final String NOT_MEASURED = "Not measured yet.\n";

	private static final String SAME_TEXT = "creating a string from the same 6 bytes";

	private static final List<String> CHAIN = List.of("CosId.chain/100", "CosId.chain/10000");

	private static final List<String> CHAIN_TEXT = List.of("CosId.chainText/100", "CosId.chainText/10000");

	private static final List<String> WITH_STORE = List.of("CosId.chain/100", "CosId.chain/10000", "CosId.segment/100",
			"CosId.segment/10000", "Hibernate.pooledLo/50", "Hibernate.pooledLo/10000",
			"Hibernate.pooledLoThreadLocal/50", "Hibernate.pooledLoThreadLocal/10000");

	private static final Map<String, String> TITLES = benchmarkTitles();

	/**
	 * The titles of contestants whose names in the results are not suitable as titles.
	 */
	private static final Map<String, String> VIRTUAL_TITLES = Map.of(VirtualPart.SEPARATE_COUNTERS,
			"a separate atomic counter per thread", VirtualPart.GUARDED_CELLS,
			"a locked memory cell, selected by the thread id");

	private final Results results;

	private final Mode mode;

	private final Path target;

	/** The results of {@link RawPart}, by the feature version of the JDK. */
	private final SortedMap<Integer, Speeds> raw = new TreeMap<>();

	/**
	 * The results of {@link RawPart} on the lowest JDK version that was measured.
	 */
	private final Speeds speeds;

	private final VirtualResults virtual;

	private final VirtualResults million;

	private final StoreResults store;

	/**
	 * Read all results.
	 * @param results the results
	 * @param mode the mode of the measurement
	 * @param target the directory of the build
	 */
	public Report(Results results, Mode mode, Path target) {
		this.results = results;
		this.mode = mode;
		this.target = target;
		for (String name : results.names(RawPart.NAME + "-\\d+-")) {
			int jdk = Integer.parseInt(name.split("-")[1]);
			this.raw.computeIfAbsent(jdk, (unused) -> new Speeds(results.readAll(RawPart.NAME + "-" + jdk + "-")));
		}
		this.speeds = this.raw.isEmpty() ? new Speeds(List.of()) : this.raw.get(this.raw.firstKey());
		this.virtual = results.read(VirtualPart.NAME, VirtualResults.class);
		this.million = results.read(VirtualPart.MILLION, VirtualResults.class);
		this.store = results.read(StorePart.NAME, StoreResults.class);
	}

	/**
	 * Write the report. It is published only if the run was a full one and no part is
	 * missing. Otherwise it is written to the directory of the results, and the published
	 * report is retained.
	 */
	public void write() throws IOException {
		String markdown = markdown();
		List<String> missing = missingParts();
		if (this.mode == Mode.QUICK || !missing.isEmpty()) {
			Path file = Files.writeString(this.results.directory().resolve("RESULTS.md"), markdown);
			System.out.println("\n" + markdown + "\nWritten to " + file);
			if (!missing.isEmpty()) {
				System.out.println("Not measured: " + String.join(", ", missing)
						+ ". The published reports are unchanged: benchmarks/RESULTS.md, README.md, docs/performance.md");
			}
			return;
		}
		Path module = Objects.requireNonNull(this.target.getParent());
		Path file = Files.writeString(module.resolve("RESULTS.md"), markdown);
		Path readme = module.resolveSibling("README.md");
		SHORT.replaceIn(readme, summary());
		Path page = module.resolveSibling("docs").resolve("performance.md");
		FIGURES.replaceIn(page, figures());
		RATIOS.replaceIn(page, ratios());
		System.out.println("\nWritten to " + file + ", with summaries in " + readme + " and " + page);
	}

	private List<String> missingParts() {
		return Stream
			.of(this.raw.isEmpty() ? RawPart.NAME : "", (this.virtual.idsPerSecond() == null) ? VirtualPart.NAME : "",
					this.store.runs().isEmpty() ? StorePart.NAME : "")
			.filter((part) -> !part.isEmpty())
			.toList();
	}

	String markdown() {
		return """
				# How fast ids are issued

				A program runs the measurements and writes this report:

				```shell
				%s
				```

				Compare numbers only within a table, and only if they were measured on the same machine.%s

				%s
				## Summary

				%s

				%s

				## Ratios

				Each ratio compares two numbers of the same run: the number before the slash is divided by the one after it. The numbers
				are rates, unless a line says otherwise. "Ours" is this project.

				%s

				%s
				## In memory

				The table shows millions of ids per second, for all threads together. The stores are also in memory. Unless a row says
				"default settings", ours may reserve up to ten million ids at a time. For Hibernate, only the optimizers are measured,
				without a session. In a burst, `snowflake` may run up to an hour ahead of the clock, so that the burst does not end
				during the measurement.

				%s
				%s## With a database

				Two threads draw ids as fast as they can from a generator with default settings. The latencies come from a second
				measurement, which reads the clock before and after each id. The database runs on the same machine. A proxy delays each
				round trip and counts the round trips. If the delay is 0 ms, there is no proxy, and round trips are not counted. Before
				the first id is requested, the tables exist and the application's pool has open connections. The last column counts the
				ids that are reserved but still unused six seconds after the threads have stopped. Our warm-up takes %d seconds longer
				than that of the others, because the fail-over protection needs this time to raise its rate limit.

				%s
				### A million ids per second

				Four threads draw 250 ids each per millisecond. The delay is added to each round trip.

				%s
				### Reserved but unused ids

				%s%s"""
			.formatted(COMMAND, (this.mode == Mode.QUICK)
					? " **These results are from a quick run, or from a run that failed. Do not quote them.**" : "",
					machine(), SHORT.marked(summary()), FIGURES.marked(figures()), RATIOS.marked(ratios()),
					limits(this.speeds, this.virtual), rawTables(), virtualThreads(),
					StorePart.OURS_RAMP_UP.toSeconds(), runTables(), pacedTable(), unusedTable(), problems());
	}

	private String machine() {
		Table table = new Table("", "").row("cores", Machine.processors())
			.row("system", Machine.operatingSystem())
			.row("databases",
					this.store.servers().isEmpty() ? Table.noValue() : String.join(", ", this.store.servers()))
			.row("libraries", Machine.libraries(this.target.resolve("lib")));
		if (this.virtual.jdk() != null) {
			table.row("JDK of the virtual threads", this.virtual.jdk());
		}
		outcomes().forEach((part, outcome) -> table.row("part `" + part + "`", Machine.circumstances(outcome)));
		return table.toString();
	}

	private Map<String, Outcome> outcomes() {
		Map<String, Outcome> outcomes = new LinkedHashMap<>();
		for (String name : this.results.names(Outcome.file(""))) {
			String part = name.substring(Outcome.file("").length());
			if (PARTS.stream().anyMatch((known) -> part.equals(known) || part.startsWith(known + "-"))) {
				outcomes.put(part, this.results.read(name, Outcome.class));
			}
		}
		return outcomes;
	}

	/**
	 * Return the summary, which the README quotes.
	 */
	private String summary() {
		if (this.speeds.threads().isEmpty()) {
			return NOT_MEASURED;
		}
		String summary = """
				%s

				- two threads draw %s million ids per second with `nextLong` of `coprime`, or %s million strings with `nextString`
				- the library CosId (chain of segments), in the same run: %s million ids, or %s million strings
				"""
			.formatted(machineSummary(), millions("Ours.coprimeNumber"), millions("Ours.coprimeText"),
					Table.millions(this.speeds.best(CHAIN, 2)), Table.millions(this.speeds.best(CHAIN_TEXT, 2)));
		return summary + pacedLines().stream().findFirst().orElse("");
	}

	private String millions(String benchmark) {
		return Table.millions(this.speeds.best(List.of(benchmark), 2));
	}

	private String machineSummary() {
		return "On %d cores, JDK %s:".formatted(Runtime.getRuntime().availableProcessors(), this.raw.firstKey());
	}

	/**
	 * Return a line for each server and delay, which says how our generator performed at
	 * the requested rate.
	 */
	private List<String> pacedLines() {
		return this.store.paced()
			.stream()
			.filter((paced) -> paced.contestant().equals(StorePart.OURS))
			.map((paced) -> "- %s with %d ms of extra latency: %s of %s requested ids per second were issued; %s\n"
				.formatted(paced.server(), paced.delayMillis(), Table.number(paced.gotPerSecond()),
						Table.number(paced.wantedPerSecond()), describeWaits(paced)))
			.toList();
	}

	private String figures() {
		if (this.speeds.threads().isEmpty()) {
			return NOT_MEASURED;
		}
		Table table = new Table(titles("millions of ids per second"));
		addSpeeds(table, "`nextLong`, `coprime`", List.of("Ours.coprimeNumber"));
		addSpeeds(table, "`nextString`, 6 characters", List.of("Ours.coprimeText"));
		addSpeeds(table, "`nextLongs(256)`", List.of("Ours.coprimeBulk"));
		addSpeeds(table, "`nextLong`, `snowflake`, in a burst", List.of("Ours.snowflakeBurst"));
		addSpeeds(table, "CosId's chain of segments", CHAIN);
		addSpeeds(table, "the same, 6 characters of base62", CHAIN_TEXT);
		addSpeeds(table, "CosId's snowflake", List.of("CosId.snowflake"));
		addSpeeds(table, "the fastest of Hibernate's optimizers",
				WITH_STORE.stream().filter((benchmark) -> benchmark.startsWith("Hibernate")).toList());
		addSpeeds(table, "`UUID.randomUUID`", List.of("Libraries.randomUuid"));
		return "%s\n\n%s\n%s".formatted(machineSummary(), table, String.join("", pacedLines()));
	}

	private static String describeWaits(StoreResults.Paced paced) {
		return Objects.equals(paced.exhaustions(), 0L) ? "no caller waited"
				: "callers found no id in memory " + paced.exhaustions() + " times";
	}

	private static List<String> titles(String first) {
		List<String> titles = new ArrayList<>(List.of(first));
		THREADS.forEach((threads) -> titles.add((threads == 1) ? "1 thread" : threads + " threads"));
		return titles;
	}

	private void addSpeeds(Table table, String title, List<String> benchmarks) {
		if (THREADS.stream().allMatch((threads) -> this.speeds.best(benchmarks, threads) == null)) {
			return;
		}
		table.row(cells(title, (threads, column) -> Table.millions(this.speeds.best(benchmarks, threads))));
	}

	private static List<String> cells(String title, BiFunction<Integer, Integer, String> cell) {
		List<String> cells = new ArrayList<>(List.of(title));
		for (int column = 0; column < THREADS.size(); column++) {
			cells.add(cell.apply(THREADS.get(column), column));
		}
		return cells;
	}

	private String ratios() {
		Table table = ratios(this.speeds);
		table.row("`nextLong` on 10,000 virtual threads / CosId's chain", Table.noValue(),
				Ratio.of(this.virtual.speed(VirtualPart.OURS), this.virtual.speed(VirtualPart.CHAIN)), Table.noValue());
		table.row("`nextLong` on 1,000,000 virtual threads (scheduling them costs more than the ids) / CosId's chain",
				Table.noValue(), Ratio.of(this.million.speed(VirtualPart.OURS), this.million.speed(VirtualPart.CHAIN)),
				Table.noValue());
		StringBuilder lines = new StringBuilder();
		for (StoreResults.Paced paced : this.store.paced()) {
			if (paced.contestant().equals(StorePart.OURS)) {
				lines.append("- %s with %d ms of additional latency, %s ids/s: %s\n".formatted(paced.server(),
						paced.delayMillis(), Table.number(paced.wantedPerSecond()), describeWaits(paced)));
			}
		}
		for (StoreResults.Run run : this.store.runs()) {
			if (run.contestant().equals(StorePart.OURS)) {
				lines.append(
						"- %s with %d ms of additional latency, ids that a killed process loses: CosId's chain / ours: %s\n"
							.formatted(run.server(), run.delayMillis(),
									Ratio.of(lostByChain(run), (double) run.lost())));
			}
		}
		return table + "\n" + lines;
	}

	/**
	 * Return the table of the highest possible ratios, with an explanation.
	 */
	private static String limits(Speeds speeds, VirtualResults virtual) {
		Table table = new Table(titles("highest possible ratio"));
		addLimit(table, speeds, "`nextLong`: " + CELL_OF_THREAD + " / CosId's chain", "Limits.cellOfThread", CHAIN);
		addLimit(table, speeds, "`nextLong`: " + CELL_OF_THREAD + " / the fastest other generator with a store",
				"Limits.cellOfThread", WITH_STORE);
		addLimit(table, speeds, "`nextLong`: " + CELL_OF_THREAD + " / `ThreadLocalRandom`", "Limits.cellOfThread",
				List.of("Limits.threadLocalRandom"));
		addLimit(table, speeds, "`nextLong`: " + ENDLESS_STRIPE + " / CosId's chain", "Limits.endlessStripe", CHAIN);
		addLimit(table, speeds, "`nextLong`: " + ENDLESS_STRIPE + " / the fastest other generator with a store",
				"Limits.endlessStripe", WITH_STORE);
		addLimit(table, speeds, "`nextLong`: " + ENDLESS_STRIPE + " / `ThreadLocalRandom`", "Limits.endlessStripe",
				List.of("Limits.threadLocalRandom"));
		addLimit(table, speeds, "`nextString`: " + SAME_TEXT + " / CosId's chain, base62", "Limits.sameText",
				CHAIN_TEXT);
		addLimit(table, speeds, "`nextLongs(256)`: " + EMPTY_BULK + " / CosId's chain", "Limits.emptyBulk", CHAIN);
		table.row("virtual threads: " + virtualTitle(VirtualPart.SEPARATE_COUNTERS) + " / CosId's chain",
				Table.noValue(),
				Ratio.of(virtual.speed(VirtualPart.SEPARATE_COUNTERS), virtual.speed(VirtualPart.CHAIN)),
				Table.noValue());
		table.row("virtual threads: " + virtualTitle(VirtualPart.GUARDED_CELLS) + " / CosId's chain", Table.noValue(),
				Ratio.of(virtual.speed(VirtualPart.GUARDED_CELLS), virtual.speed(VirtualPart.CHAIN)), Table.noValue());
		return """
				The next table shows the highest possible ratios. Before the slash is code that does only the minimum work for an id.
				For example, a generator that has state per thread must at least select a memory cell by the thread id and change the
				cell. The faster the generator after the slash is on a machine, the lower the highest possible ratio is.

				A stripe contains a chunk of ids for one thread. A stripe that is never used up does everything that `nextLong` does,
				except for the call that fetches the next chunk. `nextLong` makes this call only once per 4,096 ids. However, because of
				this call, the loop around `nextLong` must save its variables to the stack. The difference between the two rates is the
				cost of saving them.

				With a single thread, there is no contention. One atomic counter (the row `AtomicLong.getAndIncrement` below) is then
				fast, and so are generators that increment one, such as CosId's segments. Virtual threads do not own stripes, because an
				application may have millions of such threads. They share chunks of ids, which costs one atomic addition per id.

				%s"""
			.formatted(table);
	}

	private static void addLimit(Table table, Speeds speeds, String title, String limit, List<String> others) {
		table.row(cells(title,
				(threads, column) -> Ratio.of(speeds.idsPerSecond(limit, threads), speeds.best(others, threads))));
	}

	private static Table ratios(Speeds speeds) {
		Table table = new Table(titles("ratio"));
		addRatio(table, speeds, "`nextLong` of `coprime` / CosId's chain", "Ours.coprimeNumber", CHAIN);
		addRatio(table, speeds, "`nextLong` of `coprime` / the fastest other generator with a store",
				"Ours.coprimeNumber", WITH_STORE);
		addRatio(table, speeds, "`nextLong` of `coprime` / `ThreadLocalRandom`", "Ours.coprimeNumber",
				List.of("Limits.threadLocalRandom"));
		addRatio(table, speeds, "`nextLong` of `coprime` / " + ENDLESS_STRIPE, "Ours.coprimeNumber",
				List.of("Limits.endlessStripe"));
		addRatio(table, speeds, "`nextLong` of `coprime` with default settings / with larger blocks",
				"Ours.coprimeByDefault", List.of("Ours.coprimeNumber"));
		addRatio(table, speeds, "`nextString` / CosId's chain, base62", "Ours.coprimeText", CHAIN_TEXT);
		addRatio(table, speeds, "`nextLongs(256)`, per id / CosId's chain", "Ours.coprimeBulk", CHAIN);
		addRatio(table, speeds, "`snowflake` in a burst / CosId's snowflake", "Ours.snowflakeBurst",
				List.of("CosId.snowflake"));
		addRatio(table, speeds, "`snowflake` in a burst / " + TICKER_AND_COUNTER, "Ours.snowflakeBurst",
				List.of("Limits.tickerAndCounter"));
		double layoutLimit = InMemory.SNOWFLAKE_TAILS * 1_000.0;
		table.row(cells("`snowflake`, sustained / the limit of its layout",
				(threads, column) -> Ratio.of(speeds.idsPerSecond("Ours.snowflakeSustained", threads), layoutLimit)));
		table.row(cells("bytes per `nextLong`",
				(threads, column) -> Table.number(speeds.bytesPerId("Ours.coprimeNumber", threads))));
		table.row(cells("bytes per `nextString`",
				(threads, column) -> Table.number(speeds.bytesPerId("Ours.coprimeText", threads))));
		return table;
	}

	private static void addRatio(Table table, Speeds speeds, String title, String ours, List<String> others) {
		table.row(cells(title,
				(threads, column) -> Ratio.of(speeds.idsPerSecond(ours, threads), speeds.best(others, threads))));
	}

	private String rawTables() {
		StringBuilder text = new StringBuilder(table(this.speeds).toString());
		this.raw.forEach((jdk, speeds) -> {
			if (speeds != this.speeds) {
				text.append("\n### On JDK %d\n\n%s\n%s".formatted(jdk, table(speeds), ratios(speeds)));
			}
		});
		return text.toString();
	}

	private static Table table(Speeds speeds) {
		List<String> titles = titles("");
		titles.add("bytes per id");
		Table table = new Table(titles);
		TITLES.forEach((benchmark, title) -> {
			List<String> cells = cells(title,
					(threads, column) -> Table.millions(speeds.idsPerSecond(benchmark, threads)));
			cells.add(Table.number(speeds.bytesPerId(benchmark, 1)));
			table.row(cells);
		});
		return table;
	}

	private String virtualThreads() {
		StringBuilder text = new StringBuilder();
		for (VirtualResults virtual : List.of(this.virtual, this.million)) {
			if (virtual.idsPerSecond() != null) {
				Table table = new Table("", "millions of ids per second");
				virtual.idsPerSecond().forEach((name, number) -> table.row(virtualTitle(name), Table.millions(number)));
				text.append("### On %,d virtual threads\n\n".formatted(virtual.threads()))
					.append("Each thread draws %,d ids.\n\n%s\n".formatted(virtual.idsPerThread(), table));
			}
		}
		return text.toString();
	}

	private static String virtualTitle(String contestant) {
		return VIRTUAL_TITLES.getOrDefault(contestant, contestant);
	}

	private String runTables() {
		StringBuilder text = new StringBuilder();
		Map<String, Table> tables = new LinkedHashMap<>();
		for (StoreResults.Run run : this.store.runs()) {
			String title = "%s, %d ms".formatted(run.server(), run.delayMillis());
			StoreResults.Latency latency = run.latency();
			tables
				.computeIfAbsent(title,
						(unused) -> new Table("", "thousands of ids/s", "median (µs)", "99 %", "99.9 %", "99.99 %",
								"maximum", "round trips per million ids", "first id (ms)", "ids lost if killed"))
				.row(run.contestant(), Table.number(run.idsPerSecond() / 1_000), Table.number(latency.p50()),
						Table.number(latency.p99()), Table.number(latency.p999()), Table.number(latency.p9999()),
						Table.number(latency.worst()), Table.number(run.roundTripsPerMillion()),
						Table.number(run.firstIdMillis()), "%,d".formatted(run.lost()));
		}
		tables.forEach((title, table) -> text.append("### ").append(title).append("\n\n").append(table).append("\n"));
		return text.toString();
	}

	/**
	 * Return how many ids CosId's chain loses if its process is killed. If several chains
	 * ran with the server and the delay of our run, the fastest one counts.
	 */
	private @Nullable Double lostByChain(StoreResults.Run ours) {
		return this.store.runs()
			.stream()
			.filter((run) -> run.contestant().startsWith(StorePart.CHAIN) && run.server().equals(ours.server())
					&& run.delayMillis() == ours.delayMillis())
			.max(Comparator.comparingDouble(StoreResults.Run::idsPerSecond))
			.map((run) -> (double) run.lost())
			.orElse(null);
	}

	private String pacedTable() {
		Table table = new Table("", "delay (ms)", "", "ids/s", "calls above 1 ms", "longest call (µs)",
				"times without an id in memory");
		for (StoreResults.Paced paced : this.store.paced()) {
			table.row(paced.server(), String.valueOf(paced.delayMillis()), paced.contestant(),
					Table.number(paced.gotPerSecond()), "%,d".formatted(paced.slowCalls()),
					Table.number(paced.worstMicros()),
					(paced.exhaustions() != null) ? "%,d".formatted(paced.exhaustions()) : Table.noValue());
		}
		return table.toString();
	}

	private String unusedTable() {
		long seconds = this.store.unused().stream().mapToLong(StoreResults.Unused::idleSeconds).findFirst().orElse(0);
		long use = this.store.unused().stream().mapToLong(StoreResults.Unused::usePerSecond).findFirst().orElse(0);
		Table table = new Table("", "", "after the first id", "after %d s without draws".formatted(seconds),
				"after %d s with %d draws per second".formatted(seconds, use));
		for (StoreResults.Unused unused : this.store.unused()) {
			table.row(unused.server(), unused.contestant(), "%,d".formatted(unused.afterFirst()),
					"%,d".formatted(unused.afterIdle()), "%,d".formatted(unused.afterUse()));
		}
		return table.toString();
	}

	private String problems() {
		List<String> problems = new ArrayList<>(this.store.failures());
		outcomes().forEach((part, outcome) -> {
			if (outcome.problem() != null) {
				problems.add("part `%s` %s".formatted(part, outcome.problem()));
			}
		});
		if (problems.isEmpty()) {
			return "";
		}
		StringBuilder list = new StringBuilder("\n## What failed\n\n");
		problems.forEach((problem) -> list.append("- ").append(problem).append("\n"));
		return list.toString();
	}

	private static Map<String, String> benchmarkTitles() {
		Map<String, String> titles = new LinkedHashMap<>();
		titles.put("Ours.coprimeNumber", "ours, `coprime`, `nextLong`");
		titles.put("Ours.coprimeByDefault", "ours, `coprime`, `nextLong`, default settings");
		titles.put("Ours.coprimeText", "ours, `coprime`, `nextString`, 6 characters");
		titles.put("Ours.coprimeBulk", "ours, `coprime`, `nextLongs(256)`, per id");
		titles.put("Ours.snowflakeBurst", "ours, `snowflake`, within a burst");
		titles.put("Ours.snowflakeSustained", "ours, `snowflake`, sustained");
		titles.put("CosId.chain/100", "CosId chain, step 100");
		titles.put("CosId.chain/10000", "CosId chain, step 10,000");
		titles.put("CosId.chainText/100", "CosId chain, step 100, base62, 6 characters");
		titles.put("CosId.chainText/10000", "CosId chain, step 10,000, base62, 6 characters");
		titles.put("CosId.segment/100", "CosId segment, step 100");
		titles.put("CosId.segment/10000", "CosId segment, step 10,000");
		titles.put("CosId.snowflake", "CosId snowflake");
		titles.put("Hibernate.pooledLo/50", "Hibernate `PooledLoOptimizer`, step 50");
		titles.put("Hibernate.pooledLo/10000", "Hibernate `PooledLoOptimizer`, step 10,000");
		titles.put("Hibernate.pooledLoThreadLocal/50", "Hibernate `PooledLoThreadLocalOptimizer`, step 50");
		titles.put("Hibernate.pooledLoThreadLocal/10000", "Hibernate `PooledLoThreadLocalOptimizer`, step 10,000");
		titles.put("Libraries.tsidCreator", "tsid-creator");
		titles.put("Libraries.hypersistenceTsid", "hypersistence-tsid");
		titles.put("Libraries.uuidCreatorV7", "uuid-creator, version 7");
		titles.put("Libraries.javaUuidGeneratorV7", "java-uuid-generator, version 7");
		titles.put("Libraries.randomUuid", "`UUID.randomUUID`");
		titles.put("Limits.atomicLong", "`AtomicLong.getAndIncrement`");
		titles.put("Limits.longAdder", "`LongAdder.increment`");
		titles.put("Limits.threadConfined", "a separate counter per thread");
		titles.put("Limits.threadLocalRandom", "`ThreadLocalRandom.nextLong`");
		titles.put("Limits.cellOfThread", CELL_OF_THREAD);
		titles.put("Limits.endlessStripe", ENDLESS_STRIPE);
		titles.put("Limits.tickerAndCounter", TICKER_AND_COUNTER);
		titles.put("Limits.emptyBulk", EMPTY_BULK);
		titles.put("Limits.sameText", SAME_TEXT);
		return titles;
	}

}
