package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link ScopedGaplessTests} on MySQL's driver.
 */
class MysqlDriverScopedGaplessTests extends ScopedGaplessTests {

	MysqlDriverScopedGaplessTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
