package dev.idspring.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsDataSource;
import dev.idspring.jdbc.TestStores;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Faults that need no process of their own happen, one after the other, to two
 * applications in one JVM with generators of all strategies: on PostgreSQL and on
 * MariaDB, at the same time.
 * <p>
 * {@code test.ids.in-process-faults} sets how many happen on each (20 unless told),
 * {@code test.ids.seed} repeats their sequence.
 */
class InProcessFaultsTests {

	private static final int ROUNDS = Integer.getInteger("test.ids.in-process-faults", 20);

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	private static final long PAUSE_MICROS = 5_000;

	/**
	 * Disk full, read-only, serialization failure, two deadlocks, lost connection,
	 * unknown outcome, and one that nobody knows.
	 */
	private static final List<String> STATES = List.of("53100", "25006", "40001", "40P01", "08006", "08007", "XX000");

	private static final int SKEW_MILLIS = 25_000;

	@Test
	void nothingRepeatsNothingHangsAndNothingIsLostThatCouldBeKept() {
		List<CompletableFuture<Void>> runs = Stream.of(TestDatabase.postgresql(), TestDatabase.mariadb())
			.map((database) -> CompletableFuture.runAsync(() -> run(database), (task) -> new Thread(task).start()))
			.toList();
		CompletableFuture.allOf(runs.toArray(CompletableFuture[]::new)).join();
	}

	private static void run(TestDatabase database) {
		try (HikariDataSource pool = database.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			TestDatabase.execute(pool, "create table " + Callers.INVOICES + " (id bigint not null primary key)");
			Path directory = Files
				.createTempDirectory(Files.createDirectories(Path.of("target", "lab")).toAbsolutePath(), "in-process");
			List<String> instances = List.of("first", "second");
			List<Application> applications = new ArrayList<>();
			for (String instance : instances) {
				applications.add(Application.start(database, directory, instance));
			}
			Watch watch = new Watch(directory, instances, () -> false);
			Random random = new Random(SEED);
			List<String> story = new ArrayList<>();
			String repeat = "%s; repeat with mvn test -pl id-spring-boot-autoconfigure -Dtest=InProcessFaultsTests"
					+ " -Dtest.ids.seed=" + SEED + " -Dtest.ids.in-process-faults=" + ROUNDS;
			assertThat(watch.awaitIds()).as(repeat, "at the start").isEmpty();
			for (int i = 0; i < ROUNDS; i++) {
				story.add(applications.get(random.nextInt(applications.size())).happen(random, watch));
				assertThat(watch.awaitIds()).as(repeat, story).isEmpty();
			}
			int inDoubt = 0;
			for (Application application : applications) {
				application.callers.close();
				inDoubt += application.inDoubt.get();
			}
			Ledger ledger = Ledger.read(directory, instances);
			ledger.verify(new JdbcTemplate(pool), instances.size(), inDoubt);
			System.out.printf("%s: %d ids, %d commits in doubt, faults %s%n", database.platform(), ledger.count(),
					inDoubt, story);
			assertThat(ledger.violations()).as(repeat, story).isEmpty();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * An application, and what can be done to it.
	 */
	private record Application(Callers callers, FaultyDataSource store, LabClock clock, AtomicInteger inDoubt) {

		static Application start(TestDatabase database, Path directory, String instance) {
			LabClock clock = new LabClock(directory);
			ConfigurableApplicationContext context = LabApplication.start(database, directory, clock,
					FaultyStore.class);
			return new Application(Callers.start(context, directory, instance, PAUSE_MICROS),
					context.getBean(FaultyDataSource.class), clock, new AtomicInteger());
		}

		/**
		 * Let something happen, and come to an end.
		 * @return what it was
		 */
		String happen(Random random, Watch watch) {
			int which = random.nextInt(STATES.size() + 3);
			if (which < STATES.size()) {
				fail(STATES.get(which), random.nextBoolean(), new Random(random.nextLong()), 2 + random.nextInt(40));
				watch.awaitAnswers();
				this.store.begin((index, call) -> Outcome.SUCCEEDS);
				return STATES.get(which);
			}
			if (which == STATES.size()) {
				this.clock.set(random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS);
				watch.awaitAnswers();
				this.clock.set(0);
				return "clock moved";
			}
			if (which == STATES.size() + 1) {
				this.callers.exhaustMemory();
				return "memory exhausted";
			}
			fail("08001", true, random, 1);
			watch.awaitAnswers();
			this.callers.interrupt();
			this.store.begin((index, call) -> Outcome.SUCCEEDS);
			return "interrupted";
		}

		/**
		 * Let calls of the store fail.
		 * @param before whether that is before they reach the database, or after
		 * @param oneOutOf how many there are for each that fails, on average
		 */
		private void fail(String state, boolean before, Random random, int oneOutOf) {
			this.store.begin((index, call) -> {
				if (random.nextInt(oneOutOf) != 0) {
					return Outcome.SUCCEEDS;
				}
				if (!before && call.equals("commit")) {
					this.inDoubt.incrementAndGet();
				}
				return before ? Outcome.failsBefore(state) : Outcome.failsAfter(state);
			});
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
