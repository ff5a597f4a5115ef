package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcSlotStoreTests} on Derby.
 */
@Tag("wide")
class DerbyJdbcSlotStoreTests extends JdbcSlotStoreTests {

	DerbyJdbcSlotStoreTests() {
		super(Kind.DERBY);
	}

}
