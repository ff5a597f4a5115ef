package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link ScopedGaplessTests} on H2 with a file.
 */
class H2FileScopedGaplessTests extends ScopedGaplessTests {

	H2FileScopedGaplessTests() {
		super(Kind.H2_FILE);
	}

}
