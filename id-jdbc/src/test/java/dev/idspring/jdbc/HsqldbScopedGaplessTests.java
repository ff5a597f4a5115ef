package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link ScopedGaplessTests} on HSQLDB.
 */
class HsqldbScopedGaplessTests extends ScopedGaplessTests {

	HsqldbScopedGaplessTests() {
		super(Kind.HSQLDB);
	}

}
