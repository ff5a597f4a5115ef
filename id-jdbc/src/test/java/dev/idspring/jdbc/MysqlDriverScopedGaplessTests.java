package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link ScopedGaplessTests} with MySQL's driver.
 */
@Tag("wide")
class MysqlDriverScopedGaplessTests extends ScopedGaplessTests {

	MysqlDriverScopedGaplessTests() {
		super(Kind.MYSQL_DRIVER);
	}

}
