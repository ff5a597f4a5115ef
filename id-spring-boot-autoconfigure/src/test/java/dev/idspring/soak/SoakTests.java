package dev.idspring.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import dev.idspring.testsupport.FaultyDataSource.Fault;
import dev.idspring.testsupport.Report;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All strategies: on PostgreSQL in an application that lives as long as the test, on
 * MariaDB in applications that are started and closed all the time, while both databases
 * fail, are slow and cut connections at random. Memory, threads, connections and open
 * files must not grow, no id may come twice, and after each failure each strategy must
 * issue ids again.
 * <p>
 * {@code test.ids.soak-minutes} sets for how long. Unless told it is ten seconds or nine
 * applications, and callers rest after each call, which they do not do in minutes: that
 * finds what is left behind by every start or every failure, but not what grows by a few
 * bytes. {@code test.ids.seed} repeats a sequence of faults as far as the machine allows.
 * The figures are in {@code target/soak.txt}.
 */
@Tag("wide")
class SoakTests {

	static final int MINUTES = Integer.getInteger("test.ids.soak-minutes", 0);

	private static final Duration LENGTH = (MINUTES > 0) ? Duration.ofMinutes(MINUTES) : Duration.ofSeconds(10);

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	private static final Duration BETWEEN_FAULTS = Duration.ofMillis(250);

	/**
	 * By how many bytes the heap may grow with each application that is started and
	 * closed, while another one makes thousands of reservations. An application that is
	 * kept by mistake weighs megabytes.
	 */
	private static final long LIMIT = (MINUTES >= 5) ? 64 * 1024 : 256 * 1024;

	/** Fewer say nothing about growth. */
	private static final int LEAST_SAMPLES = 9;

	/**
	 * Of pools that replace connections, of those who look at a store, and of the test.
	 */
	private static final int THREADS_THAT_COME_AND_GO = 10;

	private final Random random = new Random(SEED);

	private final Report report = new Report("Soak", Path.of("target", "soak.txt"));

	private final Tally ofResident = new Tally();

	private final Tally ofVisitors = new Tally();

	@Test
	void resourcesDoNotGrow() {
		// Spring Boot remembers all failures of the main thread
		CompletableFuture.runAsync(this::liveAndVisit, (task) -> new Thread(task).start()).join();
	}

	private void liveAndVisit() {
		this.report.line("%s, seed %d", LENGTH, SEED);
		TestDatabase livedIn = TestDatabase.postgresql();
		TestDatabase visited = TestDatabase.mariadb();
		SoakApplication.prepare(livedIn);
		SoakApplication.prepare(visited);
		// what is loaded once stays
		start(livedIn, new Tally()).close();
		start(visited, new Tally()).close();
		Resources before = Resources.now();
		List<Long> heap = new ArrayList<>();
		try (SoakApplication resident = start(livedIn, this.ofResident)) {
			awaitIds();
			int most = Resources.now().threads().size() + THREADS_THAT_COME_AND_GO;
			Deadline end = Deadline.after(TimeSource.system(), LENGTH);
			while (!end.hasPassed() || heap.size() < LEAST_SAMPLES) {
				visit(visited, resident);
				awaitConnections(visited, 0);
				resident.disturb(Disturbance.none());
				awaitIds();
				awaitConnections(livedIn, SoakApplication.CONNECTIONS);
				Resources now = Resources.now();
				heap.add(now.heap());
				this.report.line("%d: %s; resident: %s; visitors: %s", heap.size(), now, this.ofResident,
						this.ofVisitors);
				assertThat(now.threads().values()).as("threads").hasSizeLessThanOrEqualTo(most);
				verifyNoComplaints();
			}
		}
		awaitConnections(livedIn, 0);
		verify(heap, before);
	}

	/**
	 * Start an application whose database works, in spite of its short limits also on a
	 * busy machine.
	 */
	private static SoakApplication start(TestDatabase database, Tally tally) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(90))
			.ignoreExceptionsInstanceOf(SoakApplication.NotStartedException.class)
			.until(() -> SoakApplication.start(database, Disturbance.none(), tally), Objects::nonNull);
	}

	/**
	 * Wait until each strategy of the resident issues ids again.
	 */
	private void awaitIds() {
		Map<String, Long> before = this.ofResident.counts();
		Awaitility.await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
			verifyNoComplaints();
			assertThat(this.ofResident.counts()).as("ids of each strategy")
				.allSatisfy((strategy, count) -> assertThat(count).as(strategy).isGreaterThan(before.get(strategy)));
		});
	}

	private void verifyNoComplaints() {
		assertThat(this.ofResident.complaints()).isEmpty();
		assertThat(this.ofVisitors.complaints()).isEmpty();
	}

	/**
	 * Start an application, let both databases fail in several ways, and close it, in the
	 * middle of a failure or not.
	 */
	private void visit(TestDatabase database, SoakApplication resident) {
		Fault atStart = (this.random.nextInt(4) == 0) ? Disturbance.any(this.random) : Disturbance.none();
		try (SoakApplication visitor = SoakApplication.start(database, atStart, this.ofVisitors)) {
			for (int i = 0; i < 4; i++) {
				resident.disturb(Disturbance.any(this.random));
				visitor.disturb(Disturbance.any(this.random));
				resident.drawFor(BETWEEN_FAULTS);
			}
			if (this.random.nextBoolean()) {
				visitor.disturb(Disturbance.none());
			}
		}
		catch (SoakApplication.NotStartedException ex) {
			this.ofVisitors.notStarted();
		}
	}

	private static void awaitConnections(TestDatabase database, int most) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(Resources.connections(database)).as("connections that are left")
				.isLessThanOrEqualTo(most));
	}

	private void verify(List<Long> heap, Resources before) {
		// some are closed by others a little later
		Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			Resources now = Resources.now();
			assertThat(now.threadsBeside(before)).as("threads that are left").isEmpty();
			assertThat(now.filesBeside(before)).as("files and sockets that are left").isEmpty();
		});
		Resources after = Resources.now();
		List<Long> settled = heap.subList(heap.size() / 3, heap.size());
		long growth = Resources.growth(settled);
		this.report.line("before: %s", before);
		this.report.line("after: %s", after);
		this.report.line("heap: %,d bytes more with each of the last %d applications", growth, settled.size());
		this.report.print();
		assertThat(growth).as("growth of the heap, see %s", this.report).isLessThan(LIMIT);
		verifyNoComplaints();
		assertThat(this.ofVisitors.counts()).as("ids that visitors drew")
			.allSatisfy((strategy, count) -> assertThat(count).as(strategy).isPositive());
		assertThat(this.ofResident.faults()).as("failures that callers of the resident felt").isPositive();
		assertThat(this.ofVisitors.faults()).as("failures that callers of visitors felt").isPositive();
	}

}
