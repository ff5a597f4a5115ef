package dev.idspring.lab;

import org.junit.jupiter.api.Test;

/**
 * Tests that no id is repeated, no caller hangs, and no id is lost unnecessarily when
 * applications are killed, stopped, or frozen while others take over.
 */
class WorkerFaultsTests {

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		new LaboratoryRun(getClass()).runOnce(Fault.Kind.WORKER);
	}

}
