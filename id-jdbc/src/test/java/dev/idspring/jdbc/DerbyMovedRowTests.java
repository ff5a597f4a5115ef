package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on Derby.
 */
class DerbyMovedRowTests extends MovedRowTests {

	DerbyMovedRowTests() {
		super(Kind.DERBY);
	}

}
