package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link ScopedGaplessTests} on Derby.
 */
@Tag("wide")
class DerbyScopedGaplessTests extends ScopedGaplessTests {

	DerbyScopedGaplessTests() {
		super(Kind.DERBY);
	}

}
