package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * Tests for {@link JdbcKeySpaceStore} on Derby.
 */
@Tag("wide")
class DerbyKeySpaceStoreTests extends AbstractJdbcKeySpaceStoreTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabase.derby();
	}

}
