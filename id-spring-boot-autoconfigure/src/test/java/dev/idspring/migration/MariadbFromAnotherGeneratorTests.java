package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FromAnotherGeneratorTests} on MariaDB.
 */
class MariadbFromAnotherGeneratorTests extends FromAnotherGeneratorTests {

	MariadbFromAnotherGeneratorTests() {
		super(Kind.MARIADB);
	}

}
