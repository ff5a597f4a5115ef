package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link LargerBoundTests} on MariaDB.
 */
class MariadbLargerBoundTests extends LargerBoundTests {

	MariadbLargerBoundTests() {
		super(Kind.MARIADB);
	}

}
