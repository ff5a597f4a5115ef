package dev.idspring.tools.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link MixedWritersTests} with MySQL's driver.
 */
@Tag("wide")
class MysqlDriverMixedWritersTests extends MixedWritersTests {

	MysqlDriverMixedWritersTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
