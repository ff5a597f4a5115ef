package dev.idspring.lab;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.idspring.testsupport.DatabaseProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertAll;

/**
 * Tests that no id is repeated, no caller hangs, and no id is lost unnecessarily,
 * whatever faults happen to applications with generators of all strategies. All faults
 * happen one after the other in random order, {@code test.ids.lab-rounds} times.
 * PostgreSQL and MariaDB are tested at the same time.
 */
@Tag("wide")
class FaultLaboratoryTests {

	private static final int ROUNDS = Integer.getInteger("test.ids.lab-rounds", 1);

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		assertAll(start(LabDatabase::postgresql)::join, start(DatabaseProcess::mariadb)::join);
	}

	private static CompletableFuture<Void> start(Supplier<DatabaseProcess> database) {
		LaboratoryRun run = new LaboratoryRun(FaultLaboratoryTests.class);
		return CompletableFuture.runAsync(() -> run.runRounds(database, ROUNDS, Fault.Kind.values()),
				(task) -> new Thread(task).start());
	}

}
