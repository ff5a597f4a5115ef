package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on HSQLDB, which stands for all databases that lock a row before
 * they move it.
 */
class HsqldbMovedRowTests extends MovedRowTests {

	HsqldbMovedRowTests() {
		super(Kind.HSQLDB);
	}

}
