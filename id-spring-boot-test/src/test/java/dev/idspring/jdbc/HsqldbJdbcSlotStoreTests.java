package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcSlotStoreTests} on HSQLDB.
 */
class HsqldbJdbcSlotStoreTests extends JdbcSlotStoreTests {

	HsqldbJdbcSlotStoreTests() {
		super(Kind.HSQLDB);
	}

}
