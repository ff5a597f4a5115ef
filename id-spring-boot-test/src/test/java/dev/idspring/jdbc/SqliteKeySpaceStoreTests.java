package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * Tests for {@link JdbcKeySpaceStore} on Sqlite.
 */
class SqliteKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.sqlite();
	}

}
