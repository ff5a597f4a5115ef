package dev.idspring.tools.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link TimeFunctionTests} on MariaDB.
 */
class MariadbTimeFunctionTests extends TimeFunctionTests {

	MariadbTimeFunctionTests() {
		super(Kind.MARIADB);
	}

}
