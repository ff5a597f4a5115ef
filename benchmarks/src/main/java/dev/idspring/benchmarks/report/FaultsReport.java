package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.faults.Fault;
import dev.idspring.benchmarks.faults.FaultResults;
import dev.idspring.benchmarks.faults.FaultResults.Cell;
import dev.idspring.benchmarks.faults.FaultResults.Measured;
import dev.idspring.benchmarks.faults.FaultsPart;
import dev.idspring.benchmarks.faults.Library;
import dev.idspring.benchmarks.faults.Peer;
import dev.idspring.benchmarks.faults.MissingGuarantees;
import dev.idspring.benchmarks.faults.Store;
import org.jspecify.annotations.Nullable;

/**
 * Generates three texts from the results of {@link FaultsPart}: {@code FAULTS.md} with
 * its picture, the table in {@code docs/comparison.md}, and a sentence in the README. All
 * measured numbers come from these results.
 */
public final class FaultsReport {

	private static final Quote FAULTS = new Quote("faults");

	private static final Quote SCOREBOARD = new Quote("scoreboard");

	/** The faults whose results {@code docs/comparison.md} quotes. */
	private static final Set<Fault> COMPARED_FAULTS = EnumSet.of(Fault.CLOCK_BACK_2_S, Fault.CLOCK_BACK_1_H,
			Fault.CLOCK_BACK_WHILE_DOWN, Fault.LAGGING_REPLICA, Fault.LAGGING_REPLICA_TWICE, Fault.FAIL_BACK);

	private static final String INTRODUCTION = """
			# Faults

			A program injects the faults, measures their effects and writes this report:

			```shell
			mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar faults
			```

			A peer is a library, or a server, with a certain configuration. In the tables, "this" is this project. All peers that
			use the same store are exposed to a fault together, in the same processes and on the same server. Only the fault "200
			look-alikes" is measured separately for each peer. The instances that are started at the beginning draw ids at random
			times: from each peer, all of them together draw 500 ids per second on average. Each thread writes an id to a file
			before it draws the next one.

			After a fault that affects the store, except for the two cut-offs, each thread draws up to 100,000 ids at full speed,
			for at most six seconds. An instance issues the many numbers that it already has in memory first. If the store has
			reserved some numbers twice, the instance issues these numbers only afterwards. The ids that are drawn at full speed
			count as drawn, but waits for them do not count. A peer that has more ids in memory than callers draw during a fault
			reserves nothing in that time, so the fault cannot affect it.

			- **duplicates**: how many of the drawn ids had already been drawn
			- **longest wait**: the longest time that a caller waited for an id. Time before the fault does not count. A call that
			  fails and its repetitions count as one wait. A wait ends at the latest when the measurement of the fault ends. Time
			  while a process is frozen, or after it was killed, does not count.
			- **lost**: how many numbers of a counter between the lowest and the highest drawn number were not drawn
			- **†**: the peer gives no guarantee for this fault; the table of the fault says why
			- **–**: there was nothing to measure; the table of the fault says why
			- **node set**: each instance has a node number of its own, and keeps this number when it is restarted

			The servers are real. The library libfaketime changes the wall clock of a process, but not `System.nanoTime`. The
			environment variable `IDS_TEST_FAKETIME` names its file. By default, the file of Debian's package `libfaketime` is used.
			The environment variable `IDS_TEST_VALKEY` contains the command that runs a Valkey server. To reproduce the result of
			one peer under one fault, use the seed that the table of the fault shows:

			```shell
			java -jar benchmarks/target/benchmarks.jar faults --peer=%s --fault=%s --seed=%d
			```

			Without `--peer` and `--seed`, the command measures a fault again for all peers, and replaces the results of this fault
			in this report. The first table shows when the last complete run ended. If a fault was measured again later, its results
			are newer.

			The seed determines everything that is random, such as the pauses between ids. However, processes and servers are not
			always equally fast, and only one peer draws ids when its result is reproduced. The numbers are therefore similar, but
			not the same.

			**To have a result corrected**, open an issue that names the peer, the fault, and the page of the peer's documentation
			that describes a better setup or a guarantee. The setup of each peer takes a few lines in
			[`Adapters`](src/main/java/dev/idspring/benchmarks/faults/Adapters.java).
			[`MissingGuarantees`](src/main/java/dev/idspring/benchmarks/faults/MissingGuarantees.java) lists what the peers do not
			guarantee. The same code measures this project. The build could not resolve CosId's modules for JDBC and Redis. The
			benchmarks therefore contain classes that reserve CosId's segments with the same statements and commands.

			""";

	private final FaultResults faultResults;

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
	public FaultsReport(Results results, Mode mode, Path target) {
		this.faultResults = results.read(FaultsPart.NAME, FaultResults.class);
		this.outcome = results.read(Outcome.file(FaultsPart.NAME), Outcome.class);
		this.mode = mode;
		this.target = target;
		this.directory = (mode == Mode.FULL) ? Objects.requireNonNull(target.getParent()) : results.directory();
	}

	/**
	 * Write the report, if there are results. The report of a quick run is not published.
	 */
	public void write() throws IOException {
		if (this.faultResults.cells().isEmpty()) {
			return;
		}
		Path charts = Files.createDirectories(this.directory.resolve("charts"));
		Files.writeString(charts.resolve("faults.svg"), new FaultsChart(this.faultResults.cells()).svg());
		Path file = Files.writeString(this.directory.resolve("FAULTS.md"), markdown());
		System.out.println("\nWritten to " + file);
		if (this.mode == Mode.FULL) {
			FAULTS.replaceIn(this.directory.resolveSibling("docs").resolve("comparison.md"), comparison());
			SCOREBOARD.replaceIn(this.directory.resolveSibling("README.md"), sentence());
		}
	}

	private String markdown() {
		StringBuilder text = new StringBuilder(
				INTRODUCTION.formatted(example().peer().option(), example().fault().option(), example().seed()))
			.append(machine())
			.append("\n![Generators and faults: how many ids were issued twice](charts/faults.svg)\n")
			.append("\n## Duplicates, and the longest time without an id\n\n")
			.append(matrix())
			.append(faults())
			.append("\n## Summary for clocks and fail-overs\n\n")
			.append(FAULTS.marked(comparison()))
			.append("\n\n## In one sentence\n\n")
			.append(SCOREBOARD.marked(sentence()))
			.append("""


					## Versions

					Spring Boot manages the versions of Hibernate and Spring. ShardingSphere 5.5.3 could not be resolved, and
					CosId 3 was not tried. The newest versions were looked up on 2026-11-28.

					""")
			.append(versions());
		if (this.outcome.problem() != null) {
			text.append("\n## What failed\n\n- the run ").append(this.outcome.problem()).append("\n");
		}
		return text.toString();
	}

	private Cell example() {
		return cells((cell) -> cell.measured() != null).findFirst().orElse(this.faultResults.cells().get(0));
	}

	private String machine() {
		return new Table("", "").row("cores", Machine.processors())
			.row("system", Machine.operatingSystem())
			.row("measured", Machine.circumstances(this.outcome) + "; other programs ran at the same time")
			.toString();
	}

	private String matrix() {
		List<String> titles = new ArrayList<>(List.of("peer", "store"));
		Stream.of(Fault.values()).filter(this::isMeasured).forEach((fault) -> titles.add(fault.title()));
		Table table = new Table(titles);
		for (Peer peer : Peer.values()) {
			List<String> row = new ArrayList<>(List.of(peer.title(), peer.store().title()));
			Stream.of(Fault.values()).filter(this::isMeasured).forEach((fault) -> row.add(cellText(peer, fault)));
			table.row(row);
		}
		return table.toString();
	}

	private boolean isMeasured(Fault fault) {
		return cells((cell) -> cell.fault() == fault).findAny().isPresent();
	}

	private Stream<Cell> cells(Predicate<Cell> condition) {
		return this.faultResults.cells().stream().filter(condition);
	}

	private @Nullable Cell cell(Peer peer, Fault fault) {
		return cells((cell) -> cell.peer() == peer && cell.fault() == fault).findFirst().orElse(null);
	}

	private String cellText(Peer peer, Fault fault) {
		Cell cell = cell(peer, fault);
		Measured result = (cell != null) ? cell.measured() : null;
		if (result == null) {
			return Table.noValue();
		}
		String dagger = (MissingGuarantees.reason(peer, fault) != null) ? " †" : "";
		return (result.drawn() == 0) ? "no ids" + dagger : duplicates(result) + ", " + seconds(result) + dagger;
	}

	private static String duplicates(Measured result) {
		return (result.twice() == 0) ? "0" : "**%,d**".formatted(result.twice());
	}

	static String seconds(Measured result) {
		return String.format(Locale.ROOT, "%.1f s", result.longestMillis() / 1_000.0);
	}

	private String faults() {
		StringBuilder text = new StringBuilder();
		for (Fault fault : Fault.values()) {
			if (isMeasured(fault)) {
				Table table = new Table("peer", "store", "ids drawn", "duplicates", "longest wait", "lost", "seed", "");
				cells((cell) -> cell.fault() == fault).forEach((cell) -> table.row(row(cell)));
				text.append("\n## ")
					.append(fault.title())
					.append("\n\n`--fault=")
					.append(fault.option())
					.append("`: ")
					.append(fault.description())
					.append("\n\n")
					.append(table);
			}
		}
		return text.toString();
	}

	private static List<String> row(Cell cell) {
		Measured result = cell.measured();
		String name = "%s, `%s`".formatted(cell.peer().title(), cell.peer().option());
		String missing = MissingGuarantees.reason(cell.peer(), cell.fault());
		String promise = (missing != null) ? "† not promised: " + missing : "";
		if (result == null) {
			return List.of(name, cell.peer().store().title(), Table.noValue(), Table.noValue(), Table.noValue(),
					Table.noValue(), Long.toString(cell.seed()), "not run: " + cell.reason());
		}
		return List.of(name, cell.peer().store().title(), "%,d".formatted(result.drawn()), duplicates(result),
				seconds(result), (result.lost() != null) ? "%,d".formatted(result.lost()) : Table.noValue(),
				Long.toString(cell.seed()), promise);
	}

	private String versions() {
		Table table = new Table("", "measured", "newest release");
		for (Library library : Library.values()) {
			table.row(library.title(), measuredVersion(library), library.newest());
		}
		return table.toString();
	}

	private String measuredVersion(Library library) {
		return library.artifact().isEmpty()
				? this.faultResults.servers().getOrDefault(Store.valueOf(library.name()), Table.noValue())
				: Machine.version(this.target.resolve("lib"), library.artifact());
	}

	/**
	 * Return the table that {@code docs/comparison.md} quotes. Libraries whose instances
	 * can have different node numbers are shown with that configuration only, not with
	 * their defaults.
	 */
	private String comparison() {
		Table table = new Table("duplicate ids, and the longest time without an id", "sequence", "UUIDv7",
				"TSID, Snowflake, node set", "CosId", "this");
		for (Fault fault : COMPARED_FAULTS) {
			table.row(fault.title(), cellTexts(fault, Peer.POSTGRESQL_SEQUENCE), cellTexts(fault, Peer.UUID7),
					cellTexts(fault, Peer.TSID_CREATOR, Peer.HYPERSISTENCE_TSID, Peer.MYBATIS_PLUS,
							Peer.SHARDINGSPHERE),
					cellTexts(fault, Peer.COSID_CHAIN, Peer.COSID_SNOWFLAKE),
					cellTexts(fault, Peer.OURS_COPRIME, Peer.OURS_SEQUENTIAL, Peer.OURS_SNOWFLAKE));
		}
		return table.toString();
	}

	private String cellTexts(Fault fault, Peer... peers) {
		List<Cell> cells = Stream.of(peers)
			.map((peer) -> cell(peer, fault))
			.filter((cell) -> cell != null && cell.measured() != null)
			.toList();
		if (cells.isEmpty()) {
			return Table.noValue();
		}
		return cells.stream()
			.map((cell) -> ((peers.length > 1) ? shortName(cell.peer()) + ": " : "") + cellText(cell.peer(), fault))
			.collect(Collectors.joining("; "));
	}

	/**
	 * Return a short name that distinguishes a peer from the others in its column.
	 */
	private static String shortName(Peer peer) {
		return peer.title().replaceFirst("^(this|CosId), ", "").split(",| of | `ASSIGN| snowflake")[0];
	}

	/**
	 * Return the sentence that the README quotes.
	 */
	private String sentence() {
		return "Ids were issued twice in %s cases with other generators, and in %s cases with this starter.\n"
			.formatted(casesWithDuplicates(cells((cell) -> !cell.peer().isOurs())),
					casesWithDuplicates(cells((cell) -> cell.peer().isOurs())));
	}

	private static String casesWithDuplicates(Stream<Cell> cells) {
		List<Measured> results = cells.map(Cell::measured)
			.filter((result) -> result != null && result.drawn() > 0)
			.toList();
		return "%d of %d".formatted(results.stream().filter((result) -> result.twice() > 0).count(), results.size());
	}

}
