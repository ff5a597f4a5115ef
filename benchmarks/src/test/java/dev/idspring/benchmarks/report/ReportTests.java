package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.store.StoreResults;
import dev.idspring.benchmarks.virtual.VirtualPart;
import dev.idspring.benchmarks.virtual.VirtualResults;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Report}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReportTests {

	private ReportProject project;

	private Path performance;

	@BeforeEach
	void createProject(@TempDir Path directory) throws IOException {
		this.project = new ReportProject(directory, "README.md", "short");
		this.performance = Files.writeString(
				Files.createDirectories(directory.resolve("docs")).resolve("performance.md"),
				new Quote("figures").marked("old\n") + new Quote("ratios").marked("old\n"));
	}

	@Test
	void speedIsTheMeanOfTheRoundsThatHaveAScore() throws Exception {
		writeRawResult("raw-17-ratios-1-1", "Ours.coprimeNumber", "", "400e6");
		writeRawResult("raw-17-ratios-1-2", "Ours.coprimeNumber", "", "600e6");
		writeRawResult("raw-17-ratios-1-3", "Ours.coprimeNumber", "", "\"NaN\"");
		assertThat(writeReport()).contains("| ours, `coprime`, `nextLong` | 500 | – | – | 24 |");
	}

	@Test
	void showsOtherJdksSeparately() throws Exception {
		writeRawResult("raw-25-ratios-1-1", "Ours.coprimeNumber", "", "700e6");
		writeRawResult("raw-17-ratios-1-1", "Ours.coprimeNumber", "", "500e6");
		assertThat(writeReport().split("### On JDK 25")).satisfiesExactly(
				(first) -> assertThat(first).contains("cores, JDK 17:", "| 500 | – | – | 24 |"),
				(other) -> assertThat(other).contains("| 700 | – | – | 24 |").doesNotContain("500"));
	}

	@Test
	void ratioComparesWithTheFastestGeneratorOfTheSameKind() throws Exception {
		writeRawResult("raw-17-ratios-1-1", "Ours.coprimeNumber", "", "500e6");
		writeRawResult("raw-17-ratios-1-2", "CosId.chain", "\"step\": \"100\"", "100e6");
		writeRawResult("raw-17-ratios-1-3", "CosId.chain", "\"step\": \"10000\"", "125e6");
		writeRawResult("raw-17-others-1-1", "Hibernate.pooledLoThreadLocal", "\"step\": \"50\"", "250e6");
		assertThat(writeReport()).contains("| `nextLong` of `coprime` / CosId's chain | 4.0 x | – | – |")
			.contains("the fastest other generator with a store | 2.0 x | – | – |");
	}

	@Test
	void limitsShowTheHighestPossibleRatios() throws Exception {
		writeRawResult("raw-17-ratios-1-1", "Limits.emptyBulk", "", "3000e6");
		writeRawResult("raw-17-ratios-1-2", "CosId.chain", "\"step\": \"100\"", "125e6");
		this.project.results()
			.write("virtual", new VirtualResults("25", 10_000, 2_000,
					Map.of(VirtualPart.SEPARATE_COUNTERS, 300e6, VirtualPart.CHAIN, 50e6)));
		assertThat(writeReport()).contains("per element / CosId's chain | 24.0 x | – | – |")
			.contains("counter per thread / CosId's chain | – | 6.0 x | – |");
	}

	@Test
	void comparesVirtualThreadsWithTheChainOfCosId() throws Exception {
		this.project.results()
			.write("virtual",
					new VirtualResults("25", 10_000, 2_000, Map.of(VirtualPart.OURS, 90e6, VirtualPart.CHAIN, 10e6)));
		assertThat(writeReport()).contains("| `nextLong` on 10,000 virtual threads / CosId's chain | – | 9.0 x | – |");
	}

	@Test
	void showsAMillionVirtualThreadsInSeparateRows() throws Exception {
		this.project.results()
			.write("virtual-million",
					new VirtualResults("25", 1_000_000, 20, Map.of(VirtualPart.OURS, 30e6, VirtualPart.CHAIN, 10e6)));
		assertThat(writeReport())
			.contains("(scheduling them costs more than the ids) / CosId's chain | – | 3.0 x | – |")
			.contains("### On 1,000,000 virtual threads\n\nEach thread draws 20 ids.");
	}

	@Test
	void comparesOurGeneratorWithItsOwnLimits() throws Exception {
		writeRawResult("raw-17-ratios-1-1", "Ours.coprimeNumber", "", "200e6");
		writeRawResult("raw-17-ratios-1-2", "Limits.endlessStripe", "", "250e6");
		writeRawResult("raw-17-ratios-1-3", "Ours.coprimeByDefault", "", "190e6");
		writeRawResult("raw-17-ratios-1-4", "Ours.snowflakeBurst", "", "95e6");
		writeRawResult("raw-17-ratios-1-5", "Limits.tickerAndCounter", "", "100e6");
		assertThat(writeReport()).contains("`coprime` / a stripe of ours that is never used up | 0.80 x |")
			.contains("default settings / with larger blocks | 0.95 x |")
			.contains("in a burst / the minimum: a ticker and one shared counter | 0.95 x |");
	}

	@Test
	void reportsCallersThatWaited() throws Exception {
		writeRawResult("raw-17-ratios-1-1", "Ours.coprimeNumber", "", "200e6");
		StoreResults.Paced waited = new StoreResults.Paced("PostgreSQL", 5, "ours", 1e6, 9e5, 3, 7000, 2L);
		StoreResults.Paced other = new StoreResults.Paced("MariaDB", 5, "ours", 1e6, 1e6, 0, 80, 0L);
		this.project.results()
			.write("store", new StoreResults(List.of("PostgreSQL 18"), List.of(), List.of(waited, other), List.of(),
					List.of()));
		assertThat(writeReport()).contains(
				"- PostgreSQL with 5 ms of additional latency, 1,000,000 ids/s: callers found no id in memory 2 times\n")
			.contains("- MariaDB with 5 ms of additional latency, 1,000,000 ids/s: no caller waited\n")
			.contains("- PostgreSQL with 5 ms of extra latency: 900,000 of 1,000,000 requested ids per second"
					+ " were issued; callers found no id in memory 2 times\n")
			.contains("| databases | PostgreSQL 18 |");
	}

	@Test
	void comparesTheIdsLostByAKillWithTheFasterChainOfCosId() throws Exception {
		this.project.results()
			.write("store", new StoreResults(List.of(),
					List.of(run("MariaDB", "ours", 9, 5_000_000),
							run("MariaDB", "CosId chain, step 1,000", 1, 100_000_000),
							run("MariaDB", "CosId chain, step 10,000", 2, 400_000_000),
							run("PostgreSQL", "CosId chain, step 1,000", 3, 5)),
					List.of(), List.of(), List.of()));
		assertThat(writeReport()).contains(
				"- MariaDB with 50 ms of additional latency, ids that a killed process loses: CosId's chain / ours:"
						+ " 80.0 x");
	}

	private static StoreResults.Run run(String server, String contestant, double idsPerSecond, long lost) {
		return new StoreResults.Run(server, 50, contestant, idsPerSecond, new StoreResults.Latency(1, 2, 3, 4, 5), null,
				6, lost);
	}

	@Test
	void listsFailedParts() throws Exception {
		this.project.results()
			.write(Outcome.file("raw-17"), new Outcome("17.0.1", Instant.EPOCH, 0.5, "was stopped after 30 minutes"));
		this.project.results()
			.write(Outcome.file("inserts"), new Outcome("17.0.1", Instant.EPOCH, 0.5, "belongs elsewhere"));
		this.project.results()
			.write(Outcome.file("store"), new Outcome("17.0.1", Instant.EPOCH, -1.0, "has no load average"));
		assertThat(writeReport()).contains("## What failed\n\n- part `raw-17` was stopped after 30 minutes")
			.doesNotContain("inserts")
			.contains(
					"| part `raw-17` | on JDK 17.0.1, ended 1970-01-01 00:00 UTC, load average before the measurement 0.50 |")
			.contains(
					"| part `store` | on JDK 17.0.1, ended 1970-01-01 00:00 UTC, load average before the measurement – |");
	}

	@Test
	void pagesSummarizeTheReport() throws Exception {
		writeResultsOfAllParts();
		write(Mode.FULL);
		String readme = this.project.page();
		assertThat(readme).startsWith("before\n").endsWith("after\n").contains("- two threads draw 400 million ids");
		assertThat(this.performance).content().contains("| `nextLong`, `coprime` | 500 | 400 | – |");
		assertThat(this.project.published("RESULTS.md")).content()
			.contains(readme.substring(readme.indexOf("<!-- begin"), readme.indexOf("after")))
			.contains(Files.readString(this.performance).split("(?<=figures -->)"))
			.doesNotContain("old");
	}

	@Test
	void quickRunIsNotPublished() throws Exception {
		writeResultsOfAllParts();
		write(Mode.QUICK);
		assertNothingIsPublished();
		assertThat(this.project.quick("RESULTS.md")).contains("Do not quote them");
	}

	@ParameterizedTest
	@CsvSource({ "raw, raw", "virtual, virtual", "store, store", "'', 'raw, virtual, store'" })
	void reportThatLacksAPartIsNotPublished(String missingPart, String missingParts, CapturedOutput output)
			throws Exception {
		writeResultsOfAllParts();
		this.project.results().delete(missingPart);
		write(Mode.FULL);
		assertNothingIsPublished();
		assertThat(this.project.quick("RESULTS.md")).contains("# How fast ids are issued");
		assertThat(output).contains("Not measured: " + missingParts + ". The published reports are unchanged");
	}

	private void assertNothingIsPublished() throws IOException {
		assertThat(this.project.published("RESULTS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
		assertThat(this.performance).content().contains("old");
	}

	@Test
	void doesNotChangeAReadmeWithoutMarkers() throws Exception {
		writeResultsOfAllParts();
		this.project.writePage("nothing");
		assertThatIllegalStateException().isThrownBy(() -> write(Mode.FULL));
		assertThat(this.project.page()).isEqualTo("nothing");
	}

	/**
	 * Write the report and return it. It is not published, because the results of some
	 * parts are missing.
	 */
	private String writeReport() throws IOException {
		write(Mode.FULL);
		return this.project.quick("RESULTS.md");
	}

	private void write(Mode mode) throws IOException {
		new Report(this.project.results(), mode, this.project.target()).write();
	}

	private void writeResultsOfAllParts() throws IOException {
		writeRawResult("raw-17-ratios-1-1", "Ours.coprimeNumber", "", "500e6");
		writeRawResult("raw-17-ratios-2-1", "Ours.coprimeNumber", 2, "", "400e6");
		this.project.results()
			.write("virtual", new VirtualResults("25", 10_000, 2_000, Map.of(VirtualPart.OURS, 90e6)));
		this.project.results()
			.write("store", new StoreResults(List.of(), List.of(run("MariaDB", "ours", 9, 5)), List.of(), List.of(),
					List.of()));
	}

	/**
	 * Write a result file in JMH's format, for one thread by default.
	 */
	private void writeRawResult(String file, String benchmark, String params, String score) throws IOException {
		writeRawResult(file, benchmark, 1, params, score);
	}

	private void writeRawResult(String file, String benchmark, int threads, String params, String score)
			throws IOException {
		Files.createDirectories(this.project.results().directory());
		Files.writeString(this.project.results().file(file), """
				[ {
				  "benchmark": "dev.idspring.benchmarks.raw.%s", "threads": %d, "params": { %s },
				  "primaryMetric": { "score": %s },
				  "secondaryMetrics": { "gc.alloc.rate.norm": { "score": 24.1 } }
				} ]
				""".formatted(benchmark, threads, params, score));
	}

}
