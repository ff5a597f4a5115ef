package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link CounterUpdateTests} on Derby.
 */
@Tag("wide")
class DerbyCounterUpdateTests extends CounterUpdateTests {

	DerbyCounterUpdateTests() {
		super(Kind.DERBY);
	}

}
