package dev.idspring.lab;

import org.junit.jupiter.api.Test;

/**
 * Tests that nothing repeats, nothing hangs, and nothing is lost that could be kept when
 * clocks are wrong, and memory, connections or locks are not to be had.
 */
class ResourceFaultsTests {

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		new LaboratoryRun(getClass()).once(Laboratory.Kind.RESOURCE);
	}

}
