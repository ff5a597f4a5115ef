package dev.idspring.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.WorkerProcess;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sixteen writers insert invoices of many tenants while the year ends. They run in two
 * processes, or in one process if the database allows only one. The processes are killed
 * and started again at random. The test runs on all databases whose data survives the end
 * of a process.
 * <p>
 * {@code test.ids.kill-seconds} sets the minimum duration, 2 by default. The test
 * continues until enough invoices have been written in the new year.
 * {@code test.ids.tenants} sets the number of tenants.
 */
@Tag("mysql")
@Tag("wide")
class InvoicesKilledProcessesTests {

	private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("test.ids.kill-seconds", 2));

	private static final String TENANTS = System.getProperty("test.ids.tenants", "40");

	private static final int WRITERS = 16;

	@Test
	void noNumberIsMissing() throws InterruptedException {
		assertNoNumberIsMissing(TestDatabase.postgresql(), 2);
	}

	static Stream<Arguments> databases() {
		return Stream.of(database("MariaDB", TestDatabase::mariadb, 2), database("MySQL", TestDatabase::mysql, 2),
				database("SQLite", () -> TestDatabase.sqlite().withUrlSuffix("?busy_timeout=60000"), 2),
				database("H2", TestDatabase::h2File, 1), database("HSQLDB", TestDatabase::hsqldbFile, 1),
				database("Derby", TestDatabase::derbyFile, 1));
	}

	private static Arguments database(String name, Supplier<TestDatabase> factory, int processes) {
		return Arguments.of(Named.of(name, factory), processes);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("databases")
	void noNumberIsMissingOnOtherDatabases(Supplier<TestDatabase> factory, int processes) throws InterruptedException {
		assertNoNumberIsMissing(factory.get(), processes);
	}

	private static void assertNoNumberIsMissing(TestDatabase database, int processes) throws InterruptedException {
		Instant newYear = Instant.now().plus(LENGTH.dividedBy(2)).plusSeconds(2);
		// no rollbacks on H2, because H2 2.4.240 sometimes loses an update when another
		// transaction is rolled back
		String[] arguments = { String.valueOf(WRITERS / processes), TENANTS, newYear.toString(),
				String.valueOf(!database.platform().equals("h2")) };
		assertThat(WorkerProcess
			.start(InvoiceWorker.class, Path.of("target", "InvoiceWorker-tables.log"), database.url(),
					database.username(), database.password(), database.platform(), "0", arguments[1], arguments[2],
					arguments[3])
			.stop()).as("creates the tables").isTrue();
		Fleet fleet = new Fleet(database, InvoiceWorker.class, processes, Duration.ZERO, false, arguments);
		fleet.run(new Random(), LENGTH, () -> fleet.kills() > 0
				&& fleet.output().lines().filter(InvoiceWorker.NEW_YEAR::equals).count() > 2 * WRITERS);
		assertThat(fleet.output()).doesNotContain("FAILED");
		try (HikariDataSource pool = database.pool(1)) {
			int invoices = InvoiceWriter.verifyNoGap(pool);
			System.out.printf("%s: %d kills, %d normal stops, %d invoices%n", database.platform(), fleet.kills(),
					fleet.stops(), invoices);
			assertThat(invoices).isGreaterThan(WRITERS);
		}
	}

}
