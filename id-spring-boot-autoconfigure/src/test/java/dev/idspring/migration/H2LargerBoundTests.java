package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link LargerBoundTests} on H2.
 */
class H2LargerBoundTests extends LargerBoundTests {

	H2LargerBoundTests() {
		super(Kind.H2);
	}

}
