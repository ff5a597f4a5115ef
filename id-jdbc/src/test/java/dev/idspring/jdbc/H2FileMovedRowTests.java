package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on H2 with a file.
 */
class H2FileMovedRowTests extends MovedRowTests {

	H2FileMovedRowTests() {
		super(Kind.H2_FILE);
	}

}
