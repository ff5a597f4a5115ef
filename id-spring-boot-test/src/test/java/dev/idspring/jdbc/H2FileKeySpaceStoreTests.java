package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * Tests for {@link JdbcKeySpaceStore} on a file-based H2 database.
 */
@Tag("wide")
class H2FileKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.h2File();
	}

}
