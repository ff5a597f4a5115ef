package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcSlotStoreTests} on H2 with a file.
 */
class H2FileJdbcSlotStoreTests extends JdbcSlotStoreTests {

	H2FileJdbcSlotStoreTests() {
		super(Kind.H2_FILE);
	}

}
