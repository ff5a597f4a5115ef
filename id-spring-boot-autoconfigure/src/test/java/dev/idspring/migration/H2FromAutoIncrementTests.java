package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FromAutoIncrementTests} on H2.
 */
class H2FromAutoIncrementTests extends FromAutoIncrementTests {

	H2FromAutoIncrementTests() {
		super(Kind.H2);
	}

}
