package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link ScopedGaplessTests} on H2.
 */
class H2ScopedGaplessTests extends ScopedGaplessTests {

	H2ScopedGaplessTests() {
		super(Kind.H2);
	}

}
