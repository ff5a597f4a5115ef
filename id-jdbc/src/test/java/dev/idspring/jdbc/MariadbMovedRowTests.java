package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on MariaDB.
 */
class MariadbMovedRowTests extends MovedRowTests {

	MariadbMovedRowTests() {
		super(Kind.MARIADB);
	}

}
