package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * Tests for {@link JdbcKeySpaceStore} on H2File.
 */
@Tag("wide")
class H2FileKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.h2File();
	}

}
