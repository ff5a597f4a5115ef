package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcGaplessStoreTests} on HSQLDB.
 */
class HsqldbJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	HsqldbJdbcGaplessStoreTests() {
		super(Kind.HSQLDB);
	}

}
