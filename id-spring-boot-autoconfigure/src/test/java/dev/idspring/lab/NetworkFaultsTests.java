package dev.idspring.lab;

import org.junit.jupiter.api.Test;

/**
 * Tests that nothing repeats, nothing hangs, and nothing is lost that could be kept when
 * the network cuts connections, swallows what is sent, or is slow.
 */
class NetworkFaultsTests {

	@Test
	void survivesFaultsWithoutDuplicatesHangsOrAvoidableLosses() {
		new LaboratoryRun(getClass()).once(Laboratory.Kind.NETWORK);
	}

}
