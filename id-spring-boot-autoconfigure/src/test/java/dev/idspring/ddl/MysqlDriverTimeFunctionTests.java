package dev.idspring.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link TimeFunctionTests} on MySQL's driver.
 */
class MysqlDriverTimeFunctionTests extends TimeFunctionTests {

	MysqlDriverTimeFunctionTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
