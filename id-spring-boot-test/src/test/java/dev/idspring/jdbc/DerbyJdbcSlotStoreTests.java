package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcSlotStoreTests} on Derby.
 */
class DerbyJdbcSlotStoreTests extends JdbcSlotStoreTests {

	DerbyJdbcSlotStoreTests() {
		super(Kind.DERBY);
	}

}
