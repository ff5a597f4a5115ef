package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link PreparedConnectionsTests} on MySQL's driver.
 */
class MysqlDriverPreparedConnectionsTests extends PreparedConnectionsTests {

	MysqlDriverPreparedConnectionsTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
