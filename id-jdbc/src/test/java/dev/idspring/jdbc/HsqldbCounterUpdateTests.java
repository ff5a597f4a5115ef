package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link CounterUpdateTests} on HSQLDB, which stands for all databases that lock a row
 * before they move it.
 */
class HsqldbCounterUpdateTests extends CounterUpdateTests {

	HsqldbCounterUpdateTests() {
		super(Kind.HSQLDB);
	}

}
