package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link CounterUpdateTests} on HSQLDB, as an example of the databases on which the row
 * is locked before the counter is updated.
 */
class HsqldbCounterUpdateTests extends CounterUpdateTests {

	HsqldbCounterUpdateTests() {
		super(Kind.HSQLDB);
	}

}
