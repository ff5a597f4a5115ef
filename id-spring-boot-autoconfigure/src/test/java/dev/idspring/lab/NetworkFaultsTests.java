package dev.idspring.lab;

import org.junit.jupiter.api.Test;

/**
 * Tests that no id is repeated, no caller hangs, and no id is lost unnecessarily when the
 * network cuts connections, loses data, or is slow.
 */
class NetworkFaultsTests {

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		new LaboratoryRun(getClass()).runOnce(Fault.Kind.NETWORK);
	}

}
