package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.fleet.FleetResults;
import dev.idspring.benchmarks.fleet.FleetResults.Run;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link FleetReport}.
 */
class FleetReportTests {

	private static final String COPRIME_ROW = "| `coprime` | 10,000 | 200,000 | 5.5 | 120 | 0.061 % | 9,000 | – |\n";

	private static final String SNOWFLAKE_ROW = "| `snowflake` | 30 | 600 | 3.5 | 4.2 | – | 66 | 31 |\n";

	private ReportProject project;

	@BeforeEach
	void createProject(@TempDir Path directory) throws IOException {
		this.project = new ReportProject(directory, "docs/fleets.md", "fleets");
		this.project.results().write(Outcome.file("fleet"), new Outcome("17.0.1", Instant.EPOCH, 0.5, null));
	}

	@Test
	void reportsThatARunWasStopped() throws Exception {
		writeResults();
		this.project.results().write(Outcome.file("fleet"), new Outcome("17.0.1", Instant.EPOCH, 0.5, "was stopped"));
		write(Mode.FULL);
		assertThat(this.project.published("FLEETS.md")).content()
			.endsWith("<!-- end fleets -->\n\n## What failed\n\n- the run was stopped\n");
	}

	@Test
	void reportAndPageHaveTheSameTable() throws Exception {
		writeResults();
		write(Mode.FULL);
		assertThat(this.project.published("FLEETS.md")).content().contains(COPRIME_ROW + SNOWFLAKE_ROW);
		assertThat(this.project.page()).startsWith("before\n")
			.endsWith("after\n")
			.contains(COPRIME_ROW + SNOWFLAKE_ROW)
			.doesNotContain("old");
	}

	@Test
	void quickRunIsNotPublished() throws Exception {
		writeResults();
		write(Mode.QUICK);
		assertThat(this.project.published("FLEETS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
		assertThat(this.project.quick("FLEETS.md")).contains(COPRIME_ROW);
	}

	@Test
	void doesNotChangeAPageWithoutMarkersForTheTable() throws Exception {
		writeResults();
		this.project.writePage("nothing");
		assertThatIllegalStateException().isThrownBy(() -> write(Mode.FULL)).withMessageContaining("fleets");
		assertThat(this.project.page()).isEqualTo("nothing");
	}

	@Test
	void writesNothingWithoutResults() throws Exception {
		write(Mode.FULL);
		assertThat(this.project.published("FLEETS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
	}

	private void writeResults() {
		this.project.results()
			.write("fleet",
					new FleetResults(List.of(new Run("`coprime`", 10_000, 24, 200_000, 5.5, 120, 0.00061, 9000, 0, 300),
							new Run("`snowflake`", 30, 2, 600, 3.5, 4.2, null, 66, 31, 0))));
	}

	private void write(Mode mode) throws IOException {
		new FleetReport(this.project.results(), mode, this.project.target()).write();
	}

}
