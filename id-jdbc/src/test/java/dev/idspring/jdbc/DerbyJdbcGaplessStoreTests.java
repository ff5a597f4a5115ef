package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcGaplessStoreTests} on Derby.
 */
class DerbyJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	DerbyJdbcGaplessStoreTests() {
		super(Kind.DERBY);
	}

}
