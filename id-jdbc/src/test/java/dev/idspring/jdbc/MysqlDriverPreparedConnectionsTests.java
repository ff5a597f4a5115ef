package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link PreparedConnectionsTests} with MySQL's driver.
 */
@Tag("wide")
class MysqlDriverPreparedConnectionsTests extends PreparedConnectionsTests {

	MysqlDriverPreparedConnectionsTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
