package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link ScopedGaplessTests} on Derby.
 */
class DerbyScopedGaplessTests extends ScopedGaplessTests {

	DerbyScopedGaplessTests() {
		super(Kind.DERBY);
	}

}
