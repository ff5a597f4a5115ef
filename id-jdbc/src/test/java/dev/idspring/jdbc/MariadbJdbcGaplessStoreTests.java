package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcGaplessStoreTests} on MariaDB.
 */
class MariadbJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	MariadbJdbcGaplessStoreTests() {
		super(Kind.MARIADB);
	}

}
