package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link CounterUpdateTests} on MariaDB.
 */
class MariadbCounterUpdateTests extends CounterUpdateTests {

	MariadbCounterUpdateTests() {
		super(Kind.MARIADB);
	}

}
