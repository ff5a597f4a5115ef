package dev.idspring.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsDataSource;
import dev.idspring.jdbc.TestStores;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.Report;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

/**
 * Tests two applications in one JVM, with generators of all strategies, under faults that
 * can be injected without separate processes. The faults happen one after the other.
 * PostgreSQL and MariaDB are tested at the same time.
 *
 * <p>
 * {@code test.ids.in-process-faults} sets the number of faults on each database (5 by
 * default). {@code test.ids.seed} sets the random seed, so that the faults can be
 * repeated.
 */
class InProcessFaultsTests {

	private static final int ROUNDS = Integer.getInteger("test.ids.in-process-faults", 5);

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	private static final long PAUSE_MICROS = 5_000;

	/**
	 * SQL states: disk full, read-only, serialization failure, deadlock, lost connection,
	 * unknown outcome of a transaction, internal error.
	 */
	private static final List<String> SQL_STATES = List.of("53100", "25006", "40001", "40P01", "08006", "08007",
			"XX000");

	private static final int SKEW_MILLIS = 25_000;

	@Test
	@Tag("longer")
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		assertAll(Stream.of(TestDatabase.postgresql(), TestDatabase.mariadb())
			.map((database) -> CompletableFuture.runAsync(() -> run(database), (task) -> new Thread(task).start()))
			.toList()
			.stream()
			.map((run) -> run::join));
	}

	private static void run(TestDatabase database) {
		List<String> history = new ArrayList<>();
		try {
			run(database, history);
		}
		catch (RuntimeException | Error | IOException | InterruptedException ex) {
			throw new AssertionError(database.platform() + ": " + ex + " after " + history
					+ "; repeat with mvn test -pl id-spring-boot-autoconfigure -Dtest=InProcessFaultsTests"
					+ " -Dtest.ids.seed=" + SEED + " -Dtest.ids.in-process-faults=" + ROUNDS, ex);
		}
	}

	private static void run(TestDatabase database, List<String> history) throws IOException, InterruptedException {
		try (HikariDataSource pool = database.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			TestDatabase.execute(pool, "create table " + Callers.INVOICE_TABLE + " (id bigint not null primary key)");
			Path directory = Files
				.createTempDirectory(Files.createDirectories(Path.of("target", "lab")).toAbsolutePath(), "in-process");
			List<String> instances = List.of("first", "second");
			List<Application> applications = new ArrayList<>();
			for (String instance : instances) {
				applications.add(Application.start(database, directory, instance));
			}
			Watch watch = new Watch(directory, instances, () -> false);
			Random random = new Random(SEED);
			assertThat(watch.awaitIds()).as("issued nothing after startup").isEmpty();
			Map<String, Integer> faults = new TreeMap<>();
			Map<String, Integer> failures = new TreeMap<>();
			for (int i = 0; i < ROUNDS; i++) {
				FaultEffects effects = new FaultEffects(directory, () -> instances);
				String fault = applications.get(random.nextInt(applications.size()))
					.injectRandomFault(random, watch, effects);
				history.add(fault);
				faults.merge(fault, 1, Integer::sum);
				effects.readNewEntries();
				failures.merge(fault, effects.failures(), Integer::sum);
				assertThat(watch.awaitIds()).as("issued nothing after a fault").isEmpty();
			}
			for (Application application : applications) {
				application.callers.close();
			}
			Ledger ledger = Ledger.read(directory, instances);
			ledger.verify(new JdbcTemplate(pool));
			Report report = new Report(database.platform(),
					Path.of("target", "lab", "report-in-process-" + database.platform() + ".txt"));
			report.line("faults %s", faults);
			report.line("failures seen by callers %s", failures);
			report.line("%s", ledger.summary());
			report.print();
			assertThat(ledger.violations()).isEmpty();
		}
	}

	/**
	 * An application and the means to inject faults into it.
	 */
	private record Application(Callers callers, FaultyDataSource store, LabClock clock) {

		static Application start(TestDatabase database, Path directory, String instance) {
			LabClock clock = new LabClock(directory);
			ConfigurableApplicationContext context = LabApplication.start(database, directory, instance, clock,
					FaultyStore.class);
			return new Application(Callers.start(context, directory, instance, PAUSE_MICROS),
					context.getBean(FaultyDataSource.class), clock);
		}

		/**
		 * Inject a random fault, then end it.
		 * @return the name of the fault
		 */
		String injectRandomFault(Random random, Watch watch, FaultEffects effects) {
			int faultIndex = random.nextInt(SQL_STATES.size() + 3);
			if (faultIndex < SQL_STATES.size()) {
				AtomicInteger failures = makeCallsFail(SQL_STATES.get(faultIndex), random.nextBoolean(),
						new Random(random.nextLong()), 2 + random.nextInt(40));
				assertThat(watch.awaitAnswers()).as("were not answered").isEmpty();
				awaitEffect(effects, "a failure", () -> failures.get() > 0);
				this.store.begin((index, call) -> Outcome.SUCCEEDS);
				return SQL_STATES.get(faultIndex);
			}
			if (faultIndex == SQL_STATES.size()) {
				this.clock.set(random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS);
				assertThat(watch.awaitAnswers()).as("were not answered").isEmpty();
				this.clock.set(0);
				return "clock moved";
			}
			if (faultIndex == SQL_STATES.size() + 1) {
				this.clock.setMemoryExhausted(true);
				awaitEffect(effects, "memory exhausted", () -> effects.count(Answer.OUT_OF_MEMORY) > 0);
				assertThat(watch.awaitAnswers()).as("were not answered").isEmpty();
				this.clock.setMemoryExhausted(false);
				return "memory exhausted";
			}
			makeCallsFail("08001", true, random, 1);
			awaitEffect(effects, "interrupted", () -> {
				this.callers.interrupt();
				return effects.count(Answer.INTERRUPTED) > 0;
			});
			this.store.begin((index, call) -> Outcome.SUCCEEDS);
			return "interrupted";
		}

		private static void awaitEffect(FaultEffects effects, String fault, BooleanSupplier condition) {
			assertThat(effects.await(Watch.TIMEOUT, condition)).as("no caller noticed %s, only %s", fault, effects)
				.isTrue();
		}

		/**
		 * Make some JDBC calls of the store fail.
		 * @param failsBefore whether the failing calls fail before they reach the
		 * database, rather than after
		 * @param oneOutOf the average number of calls per failing call
		 * @return a counter of the failed calls
		 */
		private AtomicInteger makeCallsFail(String sqlState, boolean failsBefore, Random random, int oneOutOf) {
			AtomicInteger failures = new AtomicInteger();
			this.store.begin((index, call) -> {
				if (random.nextInt(oneOutOf) != 0) {
					return Outcome.SUCCEEDS;
				}
				failures.incrementAndGet();
				// if the rollback fails, switching back to auto-commit commits the
				// transaction
				if (call.equals(failsBefore ? "rollback" : "commit")) {
					UnknownCommitCounter.add();
				}
				return failsBefore ? Outcome.failsBefore(sqlState) : Outcome.failsAfter(sqlState);
			});
			return failures;
		}

	}

	/**
	 * The store's own connections.
	 */
	@Configuration(proxyBeanMethods = false)
	static class FaultyStore {

		@Bean
		HikariDataSource storePool(TestDatabase database) {
			HikariDataSource pool = database.pool(1);
			pool.setConnectionTimeout(3_000);
			return pool;
		}

		@Bean
		@IdsDataSource
		FaultyDataSource storeDataSource(HikariDataSource pool) {
			return new FaultyDataSource(pool);
		}

	}

}
