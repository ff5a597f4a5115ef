package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.inserts.InsertsResults;
import dev.idspring.benchmarks.inserts.InsertsResults.Run;
import dev.idspring.benchmarks.inserts.InsertsResults.Size;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link InsertsReport}.
 */
class InsertsReportTests {

	private static final String IDENTITY = "identity, auto-increment";

	private static final String FIRST_COLOR = "0,55,255";

	private static final String SECOND_COLOR = "255,172,0";

	private final List<Run> runs = new ArrayList<>();

	private final List<Size> sizes = new ArrayList<>();

	private final List<String> failures = new ArrayList<>();

	private ReportProject project;

	@BeforeEach
	void createProject(@TempDir Path directory) throws IOException {
		this.project = new ReportProject(directory, "docs/performance.md", "inserts");
		this.project.results().write(Outcome.file("inserts"), new Outcome("17.0.1", Instant.EPOCH, 0.5, null));
	}

	@Test
	void ratioIsTheMedianOfTheRatiosOfAllRounds() throws Exception {
		addRun(IDENTITY, 10, 1, 0, 1000);
		addRun("snowflake, standard", 10, 1, 0, 3000);
		// in one round, the machine was slow for both schemes
		addRun(IDENTITY, 10, 1, 1, 100);
		addRun("snowflake, standard", 10, 1, 1, 200);
		addRun(IDENTITY, 10, 1, 2, 3000);
		addRun("snowflake, standard", 10, 1, 2, 3000);
		assertThat(writeReport()).contains("| identity, auto-increment | 1,000 rows/s | none |")
			.contains("| snowflake, standard | 2.0 x | none |");
	}

	@Test
	void ratioIgnoresRoundsInWhichOneSchemeIsMissing() throws Exception {
		addRun(IDENTITY, 10, 1, 0, 1000);
		addRun("snowflake, standard", 10, 1, 0, 3000);
		addRun(IDENTITY, 10, 1, 1, 100);
		addRun("snowflake, standard", 10, 1, 1, 200);
		addRun(IDENTITY, 10, 1, 2, 3000);
		assertThat(writeReport()).contains("| snowflake, standard | 2.5 x | none |");
	}

	@Test
	void comparesOnlyRunsWithEqualServerWritersAndBatch() throws Exception {
		addRun(IDENTITY, 1, 1, 0, 100);
		addRun(IDENTITY, 10, 1, 0, 200);
		addRun(IDENTITY, 1, 100, 0, 1000);
		addRun(IDENTITY, 10, 100, 0, 4000);
		for (int writers : List.of(1, 10)) {
			addRun("sequential", writers, 1, 0, 300);
			addRun("sequential", writers, 100, 0, 2000);
		}
		this.runs.add(new Run("MariaDB", IDENTITY, 10, 1, 0, 600, 600, 0, 0));
		this.runs.add(new Run("MariaDB", "sequential", 10, 1, 0, 300, 300, 0, 0));
		assertThat(writeReport()).contains("### PostgreSQL, single rows")
			.contains("| sequential | 3.0 x | 1.5 x | none |")
			.contains("### PostgreSQL, batches of 100")
			.contains("| sequential | 2.0 x | 0.50 x | none |")
			.contains("### MariaDB, single rows")
			.contains("| sequential | – | 0.50 x | none |");
	}

	@Test
	void reportsTheNumberOfRollbacks() throws Exception {
		addRun(IDENTITY, 10, 1, 0, 1000);
		this.runs.add(new Run("PostgreSQL", "max + 1", 10, 1, 0, 100, 100, 2, 30));
		this.runs.add(new Run("PostgreSQL", "max + 1", 10, 1, 1, 100, 100, 2, 10));
		this.runs.add(new Run("PostgreSQL", "max + 1, locked", 10, 1, 0, 0, 0, 7, 0));
		assertThat(writeReport()).contains("| max + 1 | 0.10 x | 20, 200 with 10 |")
			.contains("| max + 1, locked | 0 x | 7.0, 0 and no commit with 10 |");
	}

	/**
	 * The claims were published together with the scheme that is now {@code recycled}.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					 80 | 100 | 100 | 0.80 x with 1 (slower), 1.0 x with 4, 1.0 x with 10 – **undecided**              | 1 | 2
					 98 | 100 | 110 | 0.98 x with 1, 1.0 x with 4, 1.1 x with 10 (faster) – **undecided**               | 0 | 3
					 98 | 110 | 130 | 0.98 x with 1, 1.1 x with 4 (faster), 1.3 x with 10 (faster) – **holds**                | 2 | 2
					180 | 200 | 200 | 1.8 x with 1 (faster), 2.0 x with 4 (faster), 2.0 x with 10 (faster) – **holds**         | 2 | 1
					 80 |  80 | 118 | 0.80 x with 1 (slower), 0.80 x with 4 (slower), 1.2 x with 10 (faster) – **does not hold** | 1 | 2
					 80 |  80 |  80 | 0.80 x with 1 (slower), 0.80 x with 4 (slower), 0.80 x with 10 (slower) – **does not hold** | 1 | 1
					""")
	void reportsWhichClaimsFrom1994AreConfirmed(double oneWriter, double fourWriters, double tenWriters,
			String expected, int confirmed, int undecided) throws Exception {
		addSequentialAndRecycled(1, oneWriter);
		addSequentialAndRecycled(4, fourWriters);
		addSequentialAndRecycled(10, tenWriters);
		String report = writeReport();
		assertThat(report).contains("`recycled` is faster from four or five writers on: " + expected)
			.contains("`recycled` has fewer deadlocks with ten writers: neither scheme has deadlocks – **undecided**");
		assertThat(report)
			.contains("- **PostgreSQL: %d of 4 claims hold, %d are undecided.**".formatted(confirmed, undecided));
	}

	/**
	 * Add three rounds of {@code sequential}, which always inserts 100 rows per second,
	 * and of {@code recycled}, whose rates vary by up to three percent around the given
	 * one.
	 */
	private void addSequentialAndRecycled(int writers, double recycled) {
		for (int round = 0; round < 3; round++) {
			addRun(IDENTITY, writers, 1, round, 100);
			addRun("sequential", writers, 1, round, 100);
			addRun("recycled", writers, 1, round, recycled * (0.97 + 0.03 * round));
		}
	}

	@ParameterizedTest
	@CsvSource({ "5, 1234, '5 and 1,234 – **holds**'", "5, 5, 5 and 5 – **does not hold**",
			"1, 0, 1 and 0 – **does not hold**" })
	void reportsWhetherRecycledHasFewerDeadlocks(long recycled, long sequential, String expected) throws Exception {
		addRun(IDENTITY, 10, 1, 0, 100);
		this.runs.add(new Run("PostgreSQL", "sequential", 10, 1, 0, 100, 100, sequential, 0));
		this.runs.add(new Run("PostgreSQL", "recycled", 10, 1, 0, 100, 100, recycled, 0));
		assertThat(writeReport()).contains("`recycled` has fewer deadlocks with ten writers: " + expected);
	}

	@Test
	void reportsTheFastestSchemes() throws Exception {
		for (int round = 0; round < 3; round++) {
			addRun(IDENTITY, 10, 1, round, 100);
			addRun("sequential", 10, 1, round, 140);
			addRun("composite", 10, 1, round, 130 + 5 * round);
			addRun("decimal-uid", 10, 1, round, 125 + 5 * round);
			addRun("gapless", 10, 1, round, 20);
		}
		assertThat(writeReport())
			.contains("- **PostgreSQL, single rows, 10 writers**: sequential has the highest ratio (1.4 x identity)."
					+ " At least as fast in one round or more: composite. At most half as fast: gapless (0.20 x).");
	}

	@Test
	void reportsNoDifferenceWithinTheVariationBetweenRounds() throws Exception {
		for (int round = 0; round < 3; round++) {
			addRun(IDENTITY, 10, 1, round, 100);
			addRun("sequential", 10, 1, round, 100 + 40 * round);
			addRun("composite", 10, 1, round, 115);
		}
		assertThat(writeReport()).contains("differs from this median by less than 29 %.")
			.contains(
					"was faster in each of the 3 rounds, and slower only if it was slower in each of them. If two schemes"
							+ " are equally fast,\nthe probability of such a result is 1 in 4.")
			.contains(
					"sequential has the highest ratio (1.4 x identity). At least as fast in one round or more: composite;"
							+ " identity, auto-increment. All others");
	}

	@Test
	void listsFailedMeasurementsAndOmitsTheirResults() throws Exception {
		addRun(IDENTITY, 1, 1, 0, 100);
		addRun(IDENTITY, 10, 1, 0, 100);
		addRun("coprime, text", 1, 1, 0, 50);
		this.failures.add("coprime, text on PostgreSQL, 10 writers, 1 rows: no more");
		assertThat(writeReport()).contains("| coprime, text | 0.50 x | – | none |")
			.contains("## What failed\n\n- coprime, text on PostgreSQL, 10 writers, 1 rows: no more");
		assertThat(countBars("inserts-postgresql-rows.svg", FIRST_COLOR)).isEqualTo(1);
	}

	@Test
	void reportsARunThatDidNotEnd() throws Exception {
		this.project.results().write(Outcome.file("inserts"), new Outcome("17.0.1", Instant.EPOCH, 0.5, "was stopped"));
		addRun(IDENTITY, 1, 1, 0, 100);
		assertThat(writeReport()).contains("## What failed\n\n- the run was stopped\n");
	}

	@Test
	void chartsShowAllSchemes() throws Exception {
		for (int batch : List.of(1, 100)) {
			addRun(IDENTITY, 10, batch, 0, 100);
			addRun("sequential", 10, batch, 0, 100);
			addRun("coprime, text", 10, batch, 0, 50);
		}
		writeReport();
		assertThat(countBars("inserts-postgresql-rows.svg", FIRST_COLOR)).isEqualTo(3);
		assertThat(countBars("inserts-postgresql-batches.svg", FIRST_COLOR)).isEqualTo(3);
		assertThat(countBars("inserts-postgresql-batches.svg", SECOND_COLOR)).isZero();
		assertThat(countBars("inserts.svg", FIRST_COLOR)).isEqualTo(3);
		assertThat(countBars("inserts.svg", SECOND_COLOR)).isEqualTo(3);
	}

	@Test
	void pageContainsTheTableForChoosingAScheme() throws Exception {
		addRun(IDENTITY, 10, 1, 0, 100);
		addRun("sequential", 10, 1, 0, 150);
		this.sizes.add(new Size("PostgreSQL", "sequential", 10, 900, 230, 150, 0.5));
		String report = writeReport();
		String page = this.project.page();
		assertThat(page).startsWith("before\n")
			.endsWith("after\n")
			.contains("| keys from | PostgreSQL, single rows | PostgreSQL, index, bytes per row |")
			.contains("| identity, auto-increment | 1.0 | – |")
			.contains("| sequential | 1.5 | 23 |");
		assertThat(report).contains(page.substring(page.indexOf("<!-- begin"), page.indexOf("\nafter")))
			.contains("| sequential | 10 | 23 | 90 | 150 | 0.50 |");
	}

	@Test
	void marksATableThatIsStoredInItsPrimaryKeyIndex() throws Exception {
		addRun(IDENTITY, 10, 1, 0, 100);
		this.runs.add(new Run("MariaDB", IDENTITY, 10, 1, 0, 600, 600, 0, 0));
		this.sizes.add(new Size("PostgreSQL", IDENTITY, 10, 900, 230, 150, 0.5));
		this.sizes.add(new Size("MariaDB", IDENTITY, 10, 1250, 1250, 150, 0.5));
		assertThat(writeReport())
			.contains("| PostgreSQL, index, bytes per row | MariaDB, table with index, bytes per row |")
			.contains("| keys from | rows | index, bytes per row | table, bytes per row | log,")
			.contains("| keys from | rows | table with index, bytes per row | log,")
			.contains("| identity, auto-increment | 10 | 125 | 150 | 0.50 |");
	}

	@Test
	void quickRunIsNotPublished() throws Exception {
		addRun(IDENTITY, 10, 1, 0, 100);
		write(Mode.QUICK);
		assertThat(this.project.published("INSERTS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
		assertThat(this.project.quick("INSERTS.md")).contains("Do not quote them");
	}

	@Test
	void doesNotChangeAPageWithoutMarkersForTheTable() throws Exception {
		addRun(IDENTITY, 10, 1, 0, 100);
		this.project.writePage("nothing");
		assertThatIllegalStateException().isThrownBy(() -> write(Mode.FULL)).withMessageContaining("inserts");
		assertThat(this.project.page()).isEqualTo("nothing");
	}

	@Test
	void writesNothingWithoutMeasurements() throws Exception {
		write(Mode.FULL);
		assertThat(this.project.published("INSERTS.md")).doesNotExist();
		assertThat(this.project.page()).contains("old");
	}

	private void addRun(String scheme, int writers, int batch, int round, double rowsPerSecond) {
		this.runs.add(new Run("PostgreSQL", scheme, writers, batch, round, rowsPerSecond, 100, 0, 0));
	}

	private void write(Mode mode) throws IOException {
		this.project.results()
			.write("inserts",
					new InsertsResults(List.of("PostgreSQL 18"), 1000, 1.5, this.runs, this.sizes, this.failures));
		new InsertsReport(this.project.results(), mode, this.project.target()).write();
	}

	private String writeReport() throws IOException {
		write(Mode.FULL);
		return Files.readString(this.project.published("INSERTS.md"));
	}

	/**
	 * Return how many bars of a color a chart has. The color also occurs once in the
	 * legend. This occurrence is not counted.
	 */
	private long countBars(String chart, String color) throws IOException {
		String svg = Files.readString(this.project.published("charts").resolve(chart));
		assertThat(svg).contains("<svg");
		return Math.max(0, svg.split(Pattern.quote("fill:rgb(" + color + ")"), -1).length - 2);
	}

}
