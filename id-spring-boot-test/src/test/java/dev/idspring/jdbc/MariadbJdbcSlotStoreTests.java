package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcSlotStoreTests} on MariaDB.
 */
class MariadbJdbcSlotStoreTests extends JdbcSlotStoreTests {

	MariadbJdbcSlotStoreTests() {
		super(Kind.MARIADB);
	}

}
