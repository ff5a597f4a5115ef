package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * Tests for {@link JdbcKeySpaceStore} on Derby.
 */
class DerbyKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.derby();
	}

}
