package dev.idspring.lab;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

import dev.idspring.testsupport.DatabaseProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often which faults happen, and in which order. {@code test.ids.seed} repeats it, as
 * far as the machine allows; {@code test.ids.lab-faults} is a regular expression of the
 * faults that are wanted, and {@code test.ids.lab-pause-micros} is how long a caller
 * rests after a call.
 *
 * @param test the test that shows the faults
 */
record LaboratoryRun(Class<?> test) {

	private static final String FAULTS = System.getProperty("test.ids.lab-faults", ".*");

	private static final long PAUSE_MICROS = Long.getLong("test.ids.lab-pause-micros", 20_000);

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	/**
	 * Let all faults of a kind happen once, on PostgreSQL or on MariaDB.
	 */
	void once(Laboratory.Kind kind) {
		rounds(new Random(SEED).nextBoolean() ? Laboratory::postgresql : DatabaseProcess::mariadb, 1, kind);
	}

	/**
	 * Let all faults of some kinds happen on a database, again and again.
	 */
	void rounds(Supplier<DatabaseProcess> database, int rounds, Laboratory.Kind... kinds) {
		List<String> faults = Laboratory.faults(kinds).stream().filter((fault) -> fault.matches(FAULTS)).toList();
		assertThat(faults).as("faults that match %s, of %s", FAULTS, Laboratory.faults(kinds)).isNotEmpty();
		try (Laboratory lab = new Laboratory(database.get(), SEED, PAUSE_MICROS)) {
			String repeat = "repeat with mvn test -Pnightly -pl id-spring-boot-autoconfigure -Dtest="
					+ this.test.getSimpleName() + " -Dtest.ids.seed=" + SEED + " -Dtest.ids.lab-rounds=" + rounds
					+ " '-Dtest.ids.lab-faults=" + FAULTS + "' -Dtest.ids.lab-pause-micros=" + PAUSE_MICROS;
			try {
				lab.run(faults, rounds);
			}
			catch (RuntimeException | Error ex) {
				throw new AssertionError(lab.story() + "; " + repeat, ex);
			}
			assertThat(lab.violations()).as("%s; %s", lab.story(), repeat).isEmpty();
		}
	}

}
