package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.faults.Fault;
import dev.idspring.benchmarks.faults.FaultResults;
import dev.idspring.benchmarks.faults.FaultResults.Cell;
import dev.idspring.benchmarks.faults.FaultResults.Measured;
import dev.idspring.benchmarks.faults.Peer;
import dev.idspring.benchmarks.faults.Store;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FaultsReport}.
 */
class FaultsReportTests {

	private static final String SENTENCE = "Ids were issued twice in 1 of 2 cases with other generators,"
			+ " and in 0 of 1 cases with this starter.\n";

	private ReportProject project;

	private Path readme;

	@BeforeEach
	void createProject(@TempDir Path directory) throws IOException {
		this.project = new ReportProject(directory, "docs/comparison.md", "faults");
		this.readme = Files.writeString(directory.resolve("README.md"),
				"before\n<!-- begin scoreboard -->\nold\n<!-- end scoreboard -->\nafter\n");
		Files.createFile(this.project.target().resolve("lib/tsid-creator-5.2.6.jar"));
		this.project.results().write(Outcome.file("faults"), new Outcome("17.0.1", Instant.EPOCH, 0.5, null));
	}

	@Test
	void reportAndPagesContainTheSameResults() throws Exception {
		writeResults();
		write(Mode.FULL);
		String row = "| clock back 1 h | 0, 0.2 s | – | tsid-creator: **12**, 8.1 s † | – | `coprime`: 0, 0.1 s |\n";
		assertThat(this.project.published("FAULTS.md")).content().contains(row).contains(SENTENCE);
		assertThat(this.project.page()).contains(row).doesNotContain("old");
		assertThat(this.readme).content()
			.isEqualTo("before\n<!-- begin scoreboard -->\n" + SENTENCE + "<!-- end scoreboard -->\nafter\n");
	}

	@Test
	void reportShowsResultsSeedsMissingGuaranteesAndVersions() throws Exception {
		writeResults();
		write(Mode.FULL);
		assertThat(this.project.published("FAULTS.md")).content()
			.contains(
					"| PostgreSQL's sequence, `postgresql-sequence` | PostgreSQL | 7,500 | 0 | 0.2 s | 33 | 42 |  |\n")
			.contains("| tsid-creator, node set, `tsid-creator` | – | 7,000 | **12** | 8.1 s | – | 42 "
					+ "| † not promised: its [page](https://github.com/f4b6a3/tsid-creator) does not mention clocks |\n")
			.contains("| UUIDv7 of uuid-creator, `uuid7` | – | – | – | – | – | 42 | not run: the peer has no store |\n")
			.contains("faults --peer=postgresql-sequence --fault=clock-back-1-h --seed=42\n")
			.contains("| tsid-creator | 5.2.6 | 5.2.6 |\n")
			.contains("| PostgreSQL | 18.6 | – |\n");
	}

	@Test
	void pictureShowsTheNumberOfDuplicateIds() throws Exception {
		writeResults();
		write(Mode.FULL);
		assertThat(this.project.published("charts/faults.svg")).content()
			.containsOnlyOnce("fill=\"#b3261e\"/>")
			.contains(">12 †</text>")
			.contains(">clock back 1 h</text>")
			.doesNotContain("kill -9");
	}

	@Test
	void quickRunIsNotPublished() throws Exception {
		writeResults();
		write(Mode.QUICK);
		assertThat(this.project.published("FAULTS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
		assertThat(this.readme).content().contains("old");
		assertThat(this.project.quick("FAULTS.md")).contains(SENTENCE);
	}

	@Test
	void writesNothingWithoutMeasurements() throws Exception {
		write(Mode.FULL);
		assertThat(this.project.published("FAULTS.md")).doesNotExist();
	}

	private void writeResults() {
		this.project.results()
			.write("faults",
					new FaultResults(List.of(
							cell(Peer.POSTGRESQL_SEQUENCE, Fault.CLOCK_BACK_1_H,
									new Measured(7_500, 0, 150, 33L, null)),
							cell(Peer.TSID_CREATOR, Fault.CLOCK_BACK_1_H, new Measured(7_000, 12, 8_100, null, null)),
							cell(Peer.OURS_COPRIME, Fault.CLOCK_BACK_1_H, new Measured(7_000, 0, 100, 1L, null)),
							new Cell(Peer.UUID7, Fault.LOST_COMMITS, 42, null, "the peer has no store")),
							Map.of(Store.POSTGRESQL, "18.6")));
	}

	private static Cell cell(Peer peer, Fault fault, Measured measured) {
		return new Cell(peer, fault, 42, measured, null);
	}

	private void write(Mode mode) throws IOException {
		new FaultsReport(this.project.results(), mode, this.project.target()).write();
	}

}
