package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on SQLite.
 */
class SqliteMovedRowTests extends MovedRowTests {

	SqliteMovedRowTests() {
		super(Kind.SQLITE);
	}

}
