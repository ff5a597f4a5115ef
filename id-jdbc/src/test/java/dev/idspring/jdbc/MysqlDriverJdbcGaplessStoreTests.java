package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcGaplessStoreTests} with MySQL's driver.
 */
@Tag("wide")
class MysqlDriverJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	MysqlDriverJdbcGaplessStoreTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
