package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcSlotStoreTests} on HSQLDB.
 */
@Tag("wide")
class HsqldbJdbcSlotStoreTests extends JdbcSlotStoreTests {

	HsqldbJdbcSlotStoreTests() {
		super(Kind.HSQLDB);
	}

}
