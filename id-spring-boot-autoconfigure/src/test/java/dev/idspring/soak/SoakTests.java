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
 * Tests all strategies while databases fail, are slow and cut connections at random. One
 * application, the resident, runs on PostgreSQL during the whole test. Other
 * applications, the visitors, are started and closed one after the other on MariaDB.
 * Memory, threads, connections and open files must not grow, no id may be issued twice,
 * and each strategy must issue ids again after each fault.
 *
 * <p>
 * {@code test.ids.soak-minutes} sets the duration. If it is set, callers draw without
 * pauses. By default, the test runs for at least ten seconds, with at least nine
 * visitors, and callers pause after each call. A default run detects leaks that occur at
 * each startup or each failure, but not growth by a few bytes. {@code test.ids.seed} sets
 * the random seed of the faults. Their timing still depends on the machine. The results
 * are in {@code target/soak.txt}.
 */
@Tag("wide")
class SoakTests {

	static final int MINUTES = Integer.getInteger("test.ids.soak-minutes", 0);

	private static final Duration DURATION = (MINUTES > 0) ? Duration.ofMinutes(MINUTES) : Duration.ofSeconds(10);

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	private static final Duration BETWEEN_FAULTS = Duration.ofMillis(250);

	/**
	 * The largest permitted growth of the heap in bytes for each visitor, while the
	 * resident makes thousands of reservations. A leaked application takes megabytes.
	 */
	private static final long MAX_GROWTH = (MINUTES >= 5) ? 64 * 1024 : 256 * 1024;

	/**
	 * The minimum number of measurements. Fewer measurements do not show growth reliably.
	 */
	private static final int MIN_MEASUREMENTS = 9;

	/**
	 * The largest number of temporary threads: those of pools that replace connections,
	 * of reads of the store, and of the test.
	 */
	private static final int TEMPORARY_THREADS = 10;

	private final Random random = new Random(SEED);

	private final Report report = new Report("Soak", Path.of("target", "soak.txt"));

	private final Tally residentTally = new Tally();

	private final Tally visitorTally = new Tally();

	@Test
	void resourcesDoNotGrow() {
		// not on the main thread, because Spring Boot retains all failures of the main
		// thread
		CompletableFuture.runAsync(this::runBothDatabases, (task) -> new Thread(task).start()).join();
	}

	private void runBothDatabases() {
		this.report.line("%s, seed %d", DURATION, SEED);
		TestDatabase residentDatabase = TestDatabase.postgresql();
		TestDatabase visitorDatabase = TestDatabase.mariadb();
		SoakApplication.prepare(residentDatabase);
		SoakApplication.prepare(visitorDatabase);
		// first, load everything that is loaded only once
		start(residentDatabase, new Tally()).close();
		start(visitorDatabase, new Tally()).close();
		Resources before = Resources.now();
		List<Long> heap = new ArrayList<>();
		try (SoakApplication resident = start(residentDatabase, this.residentTally)) {
			awaitIds();
			int maxThreads = Resources.now().threads().size() + TEMPORARY_THREADS;
			Deadline end = Deadline.after(TimeSource.system(), DURATION);
			while (!end.hasPassed() || heap.size() < MIN_MEASUREMENTS) {
				visit(visitorDatabase, resident);
				awaitConnections(visitorDatabase, 0);
				resident.disturb(Disturbance.none());
				awaitIds();
				awaitConnections(residentDatabase, SoakApplication.CONNECTIONS);
				Resources now = Resources.now();
				heap.add(now.heap());
				this.report.line("%d: %s; resident: %s; visitors: %s", heap.size(), now, this.residentTally,
						this.visitorTally);
				assertThat(now.threads().values()).as("threads").hasSizeLessThanOrEqualTo(maxThreads);
				verifyNoViolations();
			}
		}
		awaitConnections(residentDatabase, 0);
		verify(heap, before);
	}

	/**
	 * Start an application without a fault. On a busy machine its short timeouts may
	 * require several attempts.
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
		Map<String, Long> before = this.residentTally.idCounts();
		Awaitility.await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
			verifyNoViolations();
			assertThat(this.residentTally.idCounts()).as("ids of each strategy")
				.allSatisfy((strategy, count) -> assertThat(count).as(strategy).isGreaterThan(before.get(strategy)));
		});
	}

	private void verifyNoViolations() {
		assertThat(this.residentTally.violations()).isEmpty();
		assertThat(this.visitorTally.violations()).isEmpty();
	}

	/**
	 * Start an application, inject several faults into both databases, and close it,
	 * possibly during a fault.
	 */
	private void visit(TestDatabase database, SoakApplication resident) {
		Fault startupFault = (this.random.nextInt(4) == 0) ? Disturbance.any(this.random) : Disturbance.none();
		try (SoakApplication visitor = SoakApplication.start(database, startupFault, this.visitorTally)) {
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
			this.visitorTally.countFailedStart();
		}
	}

	private static void awaitConnections(TestDatabase database, int maxConnections) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(Resources.connections(database)).as("open connections")
				.isLessThanOrEqualTo(maxConnections));
	}

	private void verify(List<Long> heap, Resources before) {
		// other threads close some resources a little later
		Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			Resources now = Resources.now();
			assertThat(now.threadsMissingIn(before)).as("leaked threads").isEmpty();
			assertThat(now.additionalFiles(before)).as("leaked files and sockets").isEmpty();
		});
		Resources after = Resources.now();
		List<Long> settledHeap = heap.subList(heap.size() / 3, heap.size());
		long growth = Resources.growth(settledHeap);
		this.report.line("before: %s", before);
		this.report.line("after: %s", after);
		this.report.line("heap: %,d bytes more with each of the last %d applications", growth, settledHeap.size());
		this.report.print();
		assertThat(growth).as("growth of the heap, see %s", this.report).isLessThan(MAX_GROWTH);
		verifyNoViolations();
		assertThat(this.visitorTally.idCounts()).as("ids that visitors drew")
			.allSatisfy((strategy, count) -> assertThat(count).as(strategy).isPositive());
		assertThat(this.residentTally.failures()).as("failures that callers of the resident saw").isPositive();
		assertThat(this.visitorTally.failures()).as("failures that callers of visitors saw").isPositive();
	}

}
