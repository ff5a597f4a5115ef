package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcGaplessStoreTests} on H2 with a file.
 */
class H2FileJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	H2FileJdbcGaplessStoreTests() {
		super(Kind.H2_FILE);
	}

}
