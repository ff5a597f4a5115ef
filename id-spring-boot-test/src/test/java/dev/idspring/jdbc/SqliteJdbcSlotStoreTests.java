package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcSlotStoreTests} on SQLite.
 */
class SqliteJdbcSlotStoreTests extends JdbcSlotStoreTests {

	SqliteJdbcSlotStoreTests() {
		super(Kind.SQLITE);
	}

}
