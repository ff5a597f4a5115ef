package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcGaplessStoreTests} on H2.
 */
class H2JdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	H2JdbcGaplessStoreTests() {
		super(Kind.H2);
	}

}
