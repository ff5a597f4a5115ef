package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.start.Contestant;
import dev.idspring.benchmarks.start.StartResults;
import dev.idspring.benchmarks.start.StartResults.Archive;
import dev.idspring.benchmarks.start.StartResults.Setup;
import dev.idspring.benchmarks.start.StartResults.Start;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StartReport}.
 */
class StartReportTests {

	private static final String ROWS = "| JDK 17 | none | 2,000 | – | – | 1,000 |\n"
			+ "| JDK 17 | ours | 2,120 | 1.060 | 1.000 to 3.000 | 1,050 |\n";

	private ReportProject project;

	private Path readme;

	@BeforeEach
	void createProject(@TempDir Path directory) throws IOException {
		this.project = new ReportProject(directory, "docs/starts.md", "starts");
		this.readme = Files.writeString(directory.resolve("README.md"), new Quote("start").marked("old\n"));
		writeOutcome(null);
	}

	@Test
	void comparesStartsByTheMedianOfTheirRatios() throws Exception {
		writeResults();
		write(Mode.FULL);
		assertThat(this.project.published("STARTS.md")).content()
			.contains("shows the median of 3 starts.")
			.contains(ROWS + "| JDK 25 AOT cache | none | 1,000 |")
			.contains("| JDK 25 AOT cache | ours | 1,005 | 1.005 |");
	}

	@Test
	void comparesEachContestantWithThePlainStartOfTheSameRound() throws Exception {
		Setup setup = withoutArchive(17);
		setup.starts().put(Contestant.FLYWAY, starts(List.of(3000L, 2500L, 3000L), 1100));
		setup.starts().put(Contestant.LIQUIBASE, starts(List.of(4000L, 4000L, 9000L), 1200));
		writeResults(setup);
		write(Mode.FULL);
		assertThat(this.project.page()).contains(ROWS + """
				| JDK 17 | Flyway | 3,000 | 1.250 | 1.000 to 1.500 | 1,100 |
				| JDK 17 | Liquibase | 4,000 | 2.000 | 2.000 to 3.000 | 1,200 |
				""");
	}

	@Test
	void reportsTheAdditionalStartupTime() throws Exception {
		writeResults();
		write(Mode.FULL);
		assertThat(this.project.page()).contains("- additional startup time with ours on JDK 17: 6.0 %\n")
			.contains("- additional startup time with ours on JDK 25 with an AOT cache: 0.50 %\n");
	}

	@Test
	void showsADashForAJdkThatWasNotAvailable() throws Exception {
		writeResults(withoutArchive(21));
		write(Mode.FULL);
		assertThat(this.project.page()).contains("- additional startup time with ours on JDK 17: –\n");
	}

	@Test
	void reportAndPagesContainTheSameTableAndSentence() throws Exception {
		writeResults();
		write(Mode.FULL);
		assertThat(this.project.page()).startsWith("before\n").endsWith("after\n").contains(ROWS).doesNotContain("old");
		assertThat(this.readme).content().contains("took 1.06 times as long").doesNotContain("old");
		assertThat(this.project.published("STARTS.md")).content()
			.contains(this.project.page().replace("before\n", "").replace("after\n", ""))
			.contains(Files.readString(this.readme));
	}

	@Test
	void reportsARunThatDidNotEnd() throws Exception {
		writeResults();
		writeOutcome("was stopped after 150 minutes");
		write(Mode.FULL);
		assertThat(this.project.published("STARTS.md")).content()
			.endsWith("<!-- end starts -->\n\n## What failed\n\n- the run was stopped after 150 minutes\n");
	}

	@Test
	void quickRunIsNotPublished() throws Exception {
		writeResults();
		write(Mode.QUICK);
		assertThat(this.project.published("STARTS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
		assertThat(this.readme).content().contains("old");
		assertThat(this.project.quick("STARTS.md")).contains(ROWS);
	}

	@Test
	void writesNothingWithoutMeasurements() throws Exception {
		write(Mode.FULL);
		assertThat(this.project.published("STARTS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
		assertThat(this.readme).content().contains("old");
	}

	@Test
	void intervalIsTheConfidenceIntervalOfTheMedianRatio() {
		Setup setup = setup(17, Archive.NONE, Collections.nCopies(21, 1000L),
				LongStream.rangeClosed(1001, 1021).boxed().toList());
		assertThat(setup.ratio(Contestant.STARTER)).isEqualTo(1.011);
		assertThat(setup.interval(Contestant.STARTER)).containsExactly(1.006, 1.016);
	}

	private void writeResults() {
		writeResults(withoutArchive(17), setup(25, Archive.AOT_CACHE, List.of(1000L), List.of(1005L)));
	}

	private void writeResults(Setup... setups) {
		this.project.results().write("start", new StartResults(List.of(setups)));
	}

	private static Setup withoutArchive(int jdk) {
		return setup(jdk, Archive.NONE, List.of(2000L, 2000L, 3000L), List.of(2000L, 2120L, 9000L));
	}

	private static Setup setup(int jdk, Archive archive, List<Long> plain, List<Long> ours) {
		return new Setup(jdk, archive,
				new TreeMap<>(Map.of(Contestant.PLAIN, starts(plain, 1000), Contestant.STARTER, starts(ours, 1050))));
	}

	private static List<Start> starts(List<Long> millis, long classes) {
		return millis.stream().map((took) -> new Start(took, classes)).toList();
	}

	private void writeOutcome(String problem) {
		this.project.results().write(Outcome.file("start"), new Outcome("17.0.1", Instant.EPOCH, 0.5, problem));
	}

	private void write(Mode mode) throws IOException {
		new StartReport(this.project.results(), mode, this.project.target()).write();
	}

}
