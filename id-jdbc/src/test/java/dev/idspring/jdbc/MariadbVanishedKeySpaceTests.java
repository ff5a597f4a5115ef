package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link VanishedKeySpaceTests} on MariaDB.
 */
class MariadbVanishedKeySpaceTests extends VanishedKeySpaceTests {

	MariadbVanishedKeySpaceTests() {
		super(Kind.MARIADB);
	}

}
