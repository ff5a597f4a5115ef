package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcGaplessStoreTests} with MySQL's driver.
 */
class MysqlDriverJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	MysqlDriverJdbcGaplessStoreTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
