package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FailoverFenceTests} on H2.
 */
class H2FailoverFenceTests extends FailoverFenceTests {

	H2FailoverFenceTests() {
		super(Kind.H2);
	}

}
