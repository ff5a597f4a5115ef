package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * Tests for {@link JdbcKeySpaceStore} with the driver and the script of MySQL, on the
 * MySQL server that is given, else on MariaDB: no embeddable MySQL server is to be had.
 */
@Tag("wide")
@Tag("mysql")
class MysqlDriverKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.mysql();
	}

}
