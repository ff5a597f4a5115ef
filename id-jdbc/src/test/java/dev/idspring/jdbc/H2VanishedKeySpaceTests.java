package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link VanishedKeySpaceTests} on H2.
 */
class H2VanishedKeySpaceTests extends VanishedKeySpaceTests {

	H2VanishedKeySpaceTests() {
		super(Kind.H2);
	}

}
