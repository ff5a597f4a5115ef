package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * A shop on H2.
 */
class H2DataJdbcTests extends AbstractDataJdbcTests {

	H2DataJdbcTests() {
		super(TestDatabase.h2());
	}

}
