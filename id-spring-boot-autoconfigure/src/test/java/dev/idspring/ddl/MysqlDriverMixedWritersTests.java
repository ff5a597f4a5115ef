package dev.idspring.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MixedWritersTests} on MySQL's driver.
 */
class MysqlDriverMixedWritersTests extends MixedWritersTests {

	MysqlDriverMixedWritersTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
