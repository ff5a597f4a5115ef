package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on H2.
 */
class H2MovedRowTests extends MovedRowTests {

	H2MovedRowTests() {
		super(Kind.H2);
	}

}
