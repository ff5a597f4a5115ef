package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on HSQLDB.
 */
class HsqldbMovedRowTests extends MovedRowTests {

	HsqldbMovedRowTests() {
		super(Kind.HSQLDB);
	}

}
