package dev.idspring.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.idspring.testsupport.DatabaseProcess;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

/**
 * Faults of processes, of databases and of the network in between happen to applications
 * with generators of all strategies: on PostgreSQL and on MariaDB, at the same time. Each
 * fault happens once, on one of the two.
 * <p>
 * With {@code test.ids.lab-rounds} all of them happen on both, that many times.
 * {@code test.ids.lab-faults} is a regular expression of those that are wanted,
 * {@code test.ids.lab-pause-micros} is how long a caller rests after a call, and
 * {@code test.ids.seed} repeats a sequence of faults as far as the machine allows.
 */
class FaultLaboratoryTests {

	private static final int ROUNDS = Integer.getInteger("test.ids.lab-rounds", 0);

	private static final String FAULTS = System.getProperty("test.ids.lab-faults", ".*");

	private static final long PAUSE_MICROS = Long.getLong("test.ids.lab-pause-micros", 20_000);

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	@Test
	void nothingRepeatsNothingHangsAndNothingIsLostThatCouldBeKept() {
		List<String> faults = new ArrayList<>(
				Laboratory.faults().stream().filter((fault) -> fault.matches(FAULTS)).toList());
		assertThat(faults).as("faults that match %s, of %s", FAULTS, Laboratory.faults()).isNotEmpty();
		Collections.shuffle(faults, new Random(SEED));
		int half = faults.size() / 2;
		boolean all = ROUNDS > 0;
		CompletableFuture<Void> postgresql = start(Laboratory::postgresql, all ? faults : faults.subList(0, half));
		CompletableFuture<Void> mariadb = start(DatabaseProcess::mariadb,
				all ? faults : faults.subList(half, faults.size()));
		assertAll(postgresql::join, mariadb::join);
	}

	private static CompletableFuture<Void> start(Supplier<DatabaseProcess> process, List<String> faults) {
		return CompletableFuture.runAsync(() -> run(process, faults), (task) -> new Thread(task).start());
	}

	private static void run(Supplier<DatabaseProcess> process, List<String> faults) {
		try (Laboratory lab = new Laboratory(process.get(), SEED, PAUSE_MICROS)) {
			String repeat = "repeat with mvn test -pl id-spring-boot-autoconfigure -Dtest=FaultLaboratoryTests"
					+ " -Dtest.ids.seed=%d -Dtest.ids.lab-rounds=%d '-Dtest.ids.lab-faults=%s'".formatted(SEED, ROUNDS,
							FAULTS)
					+ " -Dtest.ids.lab-pause-micros=" + PAUSE_MICROS;
			try {
				lab.run(faults, Math.max(1, ROUNDS));
			}
			catch (RuntimeException | Error ex) {
				throw new AssertionError(lab.story() + "; " + repeat, ex);
			}
			assertThat(lab.violations()).as("%s; %s", lab.story(), repeat).isEmpty();
		}
	}

}
