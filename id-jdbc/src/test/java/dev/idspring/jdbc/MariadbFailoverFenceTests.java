package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FailoverFenceTests} on MariaDB.
 */
class MariadbFailoverFenceTests extends FailoverFenceTests {

	MariadbFailoverFenceTests() {
		super(Kind.MARIADB);
	}

}
