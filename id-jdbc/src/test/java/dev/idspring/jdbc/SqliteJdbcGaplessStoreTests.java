package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcGaplessStoreTests} on SQLite.
 */
class SqliteJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	SqliteJdbcGaplessStoreTests() {
		super(Kind.SQLITE);
	}

}
