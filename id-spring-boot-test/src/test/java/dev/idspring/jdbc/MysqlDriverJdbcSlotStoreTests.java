package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcSlotStoreTests} with MySQL's driver.
 */
@Tag("wide")
class MysqlDriverJdbcSlotStoreTests extends JdbcSlotStoreTests {

	MysqlDriverJdbcSlotStoreTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
