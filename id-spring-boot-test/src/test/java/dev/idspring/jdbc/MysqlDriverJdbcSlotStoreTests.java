package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcSlotStoreTests} on MySQL's driver.
 */
class MysqlDriverJdbcSlotStoreTests extends JdbcSlotStoreTests {

	MysqlDriverJdbcSlotStoreTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
