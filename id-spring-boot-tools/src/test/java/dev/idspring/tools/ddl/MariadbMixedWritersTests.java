package dev.idspring.tools.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MixedWritersTests} on MariaDB.
 */
class MariadbMixedWritersTests extends MixedWritersTests {

	MariadbMixedWritersTests() {
		super(Kind.MARIADB);
	}

}
