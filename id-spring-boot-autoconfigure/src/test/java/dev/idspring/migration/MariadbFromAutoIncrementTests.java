package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FromAutoIncrementTests} on MariaDB.
 */
class MariadbFromAutoIncrementTests extends FromAutoIncrementTests {

	MariadbFromAutoIncrementTests() {
		super(Kind.MARIADB);
	}

}
