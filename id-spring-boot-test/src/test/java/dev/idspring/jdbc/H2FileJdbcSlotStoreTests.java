package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcSlotStoreTests} on a file-based H2 database.
 */
@Tag("wide")
class H2FileJdbcSlotStoreTests extends JdbcSlotStoreTests {

	H2FileJdbcSlotStoreTests() {
		super(Kind.H2_FILE);
	}

}
