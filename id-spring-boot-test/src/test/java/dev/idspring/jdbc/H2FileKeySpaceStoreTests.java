package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * Tests for {@link JdbcKeySpaceStore} on H2File.
 */
class H2FileKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.h2File();
	}

}
