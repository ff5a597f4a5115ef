package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * Tests for {@link JdbcKeySpaceStore} with the driver and the script of MySQL, on
 * MariaDB: no embeddable MySQL server is to be had.
 */
class MysqlDriverKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.mysqlDriverOnMariadb();
	}

}
