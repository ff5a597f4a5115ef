package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link FailoverFenceTests} with MySQL's driver.
 */
@Tag("wide")
class MysqlDriverFailoverFenceTests extends FailoverFenceTests {

	MysqlDriverFailoverFenceTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
