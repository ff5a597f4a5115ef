package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link CounterUpdateTests} with MySQL's driver.
 */
class MysqlDriverCounterUpdateTests extends CounterUpdateTests {

	MysqlDriverCounterUpdateTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
