package dev.idspring.lab;

import org.junit.jupiter.api.Test;

/**
 * Tests that no id is repeated, no caller hangs, and no id is lost unnecessarily when
 * clocks are wrong, callers are interrupted, or memory, connections or locks are
 * unavailable.
 */
class ResourceFaultsTests {

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		new LaboratoryRun(getClass()).runOnce(Fault.Kind.RESOURCE);
	}

}
