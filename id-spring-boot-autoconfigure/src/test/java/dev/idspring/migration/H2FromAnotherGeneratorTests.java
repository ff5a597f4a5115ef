package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FromAnotherGeneratorTests} on H2.
 */
class H2FromAnotherGeneratorTests extends FromAnotherGeneratorTests {

	H2FromAnotherGeneratorTests() {
		super(Kind.H2);
	}

}
