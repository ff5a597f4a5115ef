package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link ScopedGaplessTests} on SQLite.
 */
class SqliteScopedGaplessTests extends ScopedGaplessTests {

	SqliteScopedGaplessTests() {
		super(Kind.SQLITE);
	}

}
