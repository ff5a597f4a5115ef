package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link CounterUpdateTests} on H2.
 */
class H2CounterUpdateTests extends CounterUpdateTests {

	H2CounterUpdateTests() {
		super(Kind.H2);
	}

}
