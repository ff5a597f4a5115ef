package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on MySQL's driver.
 */
class MysqlDriverMovedRowTests extends MovedRowTests {

	MysqlDriverMovedRowTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
