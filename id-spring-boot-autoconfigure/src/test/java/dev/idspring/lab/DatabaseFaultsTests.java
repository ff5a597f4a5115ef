package dev.idspring.lab;

import org.junit.jupiter.api.Test;

/**
 * Tests that no id is repeated, no caller hangs, and no id is lost unnecessarily when a
 * database is stopped, killed, frozen or read-only.
 */
class DatabaseFaultsTests {

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		new LaboratoryRun(getClass()).runOnce(Fault.Kind.DATABASE);
	}

}
