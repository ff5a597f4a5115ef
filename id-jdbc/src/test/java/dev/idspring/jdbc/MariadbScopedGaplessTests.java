package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link ScopedGaplessTests} on MariaDB.
 */
class MariadbScopedGaplessTests extends ScopedGaplessTests {

	MariadbScopedGaplessTests() {
		super(Kind.MARIADB);
	}

}
