package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * A shop on MariaDB.
 */
class MariadbDataJdbcTests extends AbstractDataJdbcTests {

	MariadbDataJdbcTests() {
		super(TestDatabase.mariadb().withBinaryTexts());
	}

}
