package dev.idspring.tools.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link TimeFunctionTests} with MySQL's driver.
 */
@Tag("wide")
class MysqlDriverTimeFunctionTests extends TimeFunctionTests {

	MysqlDriverTimeFunctionTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
