package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.store.FirstResults;
import dev.idspring.benchmarks.store.FirstResults.Burst;
import dev.idspring.benchmarks.store.FirstResults.FirstId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FirstReport}.
 */
class FirstReportTests {

	@Test
	void reportAndPageShowTheMediansOfAllRounds(@TempDir Path directory) throws IOException {
		ReportProject project = new ReportProject(directory, "docs/performance.md", "first");
		project.results().write(Outcome.file("first"), new Outcome("17.0.1", Instant.EPOCH, 0.5, null));
		project.results()
			.write("first",
					new FirstResults(
							List.of(new FirstId("ours", 50, 300), new FirstId("other", 50, 150),
									new FirstId("ours", 50, 210), new FirstId("ours", 50, 200)),
							List.of(new Burst("ours", 7, 12_340_000))));
		new FirstReport(project.results(), Mode.FULL, project.target()).write();
		for (String row : List.of("| with 50 ms of additional latency per round trip | 210 | 150 |\n",
				"| ours | 7 | 12.3 |\n")) {
			assertThat(project.published("FIRST.md")).content().contains(row);
			assertThat(project.page()).contains(row).doesNotContain("old");
		}
	}

	@Test
	void nothingIsWrittenWithoutResults(@TempDir Path directory) throws IOException {
		ReportProject project = new ReportProject(directory, "docs/performance.md", "first");
		new FirstReport(project.results(), Mode.FULL, project.target()).write();
		assertThat(project.published("FIRST.md")).doesNotExist();
		assertThat(project.page()).contains("old");
	}

}
