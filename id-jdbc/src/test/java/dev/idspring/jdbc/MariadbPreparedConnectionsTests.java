package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link PreparedConnectionsTests} on MariaDB.
 */
class MariadbPreparedConnectionsTests extends PreparedConnectionsTests {

	MariadbPreparedConnectionsTests() {
		super(Kind.MARIADB);
	}

}
