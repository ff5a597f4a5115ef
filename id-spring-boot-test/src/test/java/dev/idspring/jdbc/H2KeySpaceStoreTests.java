package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * Tests for {@link JdbcKeySpaceStore} on H2.
 */
class H2KeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.h2();
	}

}
