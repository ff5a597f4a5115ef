package dev.idspring.lab;

import org.junit.jupiter.api.Test;

/**
 * Tests that nothing repeats, nothing hangs, and nothing is lost that could be kept when
 * applications are killed, stopped, or frozen while others take over.
 */
class WorkerFaultsTests {

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		new LaboratoryRun(getClass()).once(Laboratory.Kind.WORKER);
	}

}
