package dev.idspring.lab;

import org.junit.jupiter.api.Test;

/**
 * Tests that nothing repeats, nothing hangs, and nothing is lost that could be kept when
 * a database is stopped, killed, frozen or read-only.
 */
class DatabaseFaultsTests {

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		new LaboratoryRun(getClass()).once(Laboratory.Kind.DATABASE);
	}

}
