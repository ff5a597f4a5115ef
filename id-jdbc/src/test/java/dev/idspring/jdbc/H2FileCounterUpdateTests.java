package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link CounterUpdateTests} on H2 with a file.
 */
@Tag("wide")
class H2FileCounterUpdateTests extends CounterUpdateTests {

	H2FileCounterUpdateTests() {
		super(Kind.H2_FILE);
	}

}
