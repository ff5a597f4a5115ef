package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcSlotStoreTests} on H2.
 */
class H2JdbcSlotStoreTests extends JdbcSlotStoreTests {

	H2JdbcSlotStoreTests() {
		super(Kind.H2);
	}

}
