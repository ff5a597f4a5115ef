package dev.idspring.integration.r2dbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * Runs {@link AbstractDataR2dbcTests} on H2.
 */
class H2DataR2dbcTests extends AbstractDataR2dbcTests {

	H2DataR2dbcTests() {
		super(TestDatabase.h2());
	}

}
