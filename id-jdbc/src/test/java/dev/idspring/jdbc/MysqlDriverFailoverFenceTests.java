package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FailoverFenceTests} on MySQL's driver.
 */
class MysqlDriverFailoverFenceTests extends FailoverFenceTests {

	MysqlDriverFailoverFenceTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
