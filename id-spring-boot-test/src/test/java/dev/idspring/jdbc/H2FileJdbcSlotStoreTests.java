package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcSlotStoreTests} on H2 with a file.
 */
@Tag("wide")
class H2FileJdbcSlotStoreTests extends JdbcSlotStoreTests {

	H2FileJdbcSlotStoreTests() {
		super(Kind.H2_FILE);
	}

}
