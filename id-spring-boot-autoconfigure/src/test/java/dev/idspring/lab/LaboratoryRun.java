package dev.idspring.lab;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

import dev.idspring.testsupport.DatabaseProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the {@link Laboratory}, which injects faults into worker processes, their
 * database, and the network between them. {@code test.ids.seed} sets the random seed, so
 * that a sequence of faults can be repeated; the timing of the faults still depends on
 * the machine. {@code test.ids.lab-faults} is a regular expression that selects faults by
 * name. {@code test.ids.lab-pause-micros} is the pause of a caller after each call.
 *
 * @param test the test class that runs, for the command that repeats it
 */
record LaboratoryRun(Class<?> test) {

	private static final String FAULT_PATTERN = System.getProperty("test.ids.lab-faults", ".*");

	private static final long PAUSE_MICROS = Long.getLong("test.ids.lab-pause-micros", 20_000);

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	/**
	 * Inject each fault of a kind once. The seed decides between PostgreSQL and MariaDB.
	 */
	void runOnce(Fault.Kind kind) {
		runRounds(new Random(SEED).nextBoolean() ? LabDatabase::postgresql : DatabaseProcess::mariadb, 1, kind);
	}

	/**
	 * Inject each fault of the given kinds once per round.
	 */
	void runRounds(Supplier<DatabaseProcess> database, int rounds, Fault.Kind... kinds) {
		List<String> faults = Fault.names(kinds).stream().filter((fault) -> fault.matches(FAULT_PATTERN)).toList();
		assertThat(faults).as("faults that match %s, of %s", FAULT_PATTERN, Fault.names(kinds)).isNotEmpty();
		try (Laboratory lab = new Laboratory(database.get(), SEED, PAUSE_MICROS)) {
			String repeat = "repeat with mvn test -Pnightly -pl id-spring-boot-autoconfigure -Dtest="
					+ this.test.getSimpleName() + " -Dtest.ids.seed=" + SEED + " -Dtest.ids.lab-rounds=" + rounds
					+ " '-Dtest.ids.lab-faults=" + FAULT_PATTERN + "' -Dtest.ids.lab-pause-micros=" + PAUSE_MICROS;
			try {
				lab.run(faults, rounds);
			}
			catch (RuntimeException | Error ex) {
				throw new AssertionError(lab.history() + "; " + repeat, ex);
			}
			assertThat(lab.violations()).as("%s; %s", lab.history(), repeat).isEmpty();
		}
	}

}
