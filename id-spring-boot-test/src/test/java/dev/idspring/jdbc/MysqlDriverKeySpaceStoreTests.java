package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * Tests for {@link JdbcKeySpaceStore} with MySQL's driver and script. They run on a MySQL
 * server if the environment names one, and otherwise on MariaDB, because the tests cannot
 * start a MySQL server.
 */
@Tag("wide")
@Tag("mysql")
class MysqlDriverKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.mysql();
	}

}
