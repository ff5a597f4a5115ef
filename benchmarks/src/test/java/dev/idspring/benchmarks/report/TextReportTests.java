package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TextReport}.
 */
class TextReportTests {

	private ReportProject project;

	@BeforeEach
	void createProject(@TempDir Path directory) throws IOException {
		this.project = new ReportProject(directory, "docs/text-forms.md", "texts");
	}

	@Test
	void reportAndPageHaveTheSameTable() throws Exception {
		writeResults(6_000_000, 1_000_000);
		write(Mode.FULL);
		String row = "| FF1 by Bouncy Castle | 1.0 | – | 40 |\n";
		assertThat(this.project.published("TEXTS.md")).content().contains(row);
		assertThat(this.project.page()).startsWith("before\n").endsWith("after\n").contains(row).doesNotContain("old");
	}

	@Test
	void computesRatiosFromTheLatestResults() throws Exception {
		writeResults(6_000_000, 1_000_000);
		write(Mode.FULL);
		assertThat(this.project.published("TEXTS.md")).content()
			.contains("/ FF1 by Bouncy Castle, 1 thread | " + Ratio.of(6e6, 1e6));
		writeResults(900_000, 800_000);
		write(Mode.FULL);
		assertThat(this.project.published("TEXTS.md")).content()
			.contains("/ FF1 by Bouncy Castle, 1 thread | " + Ratio.of(9e5, 8e5));
	}

	@Test
	void quickRunIsNotPublished() throws Exception {
		writeResults(6_000_000, 1_000_000);
		write(Mode.QUICK);
		assertThat(this.project.published("TEXTS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
	}

	private void writeResults(double ours, double library) {
		this.project.results().write(Outcome.file("text"), new Outcome("17.0.1", Instant.EPOCH, 0.5, null));
		this.project.results().write("text-1-1", List.of(result("withSecret", ours), result("bouncyCastle", library)));
	}

	private static Map<String, Object> result(String method, double idsPerSecond) {
		return Map.of("benchmark", "dev.idspring.benchmarks.text.Texts." + method, "threads", 1, "primaryMetric",
				Map.of("score", idsPerSecond), "secondaryMetrics", Map.of("gc.alloc.rate.norm", Map.of("score", 40.0)));
	}

	private void write(Mode mode) throws IOException {
		new TextReport(this.project.results(), mode, this.project.target()).write();
	}

}
