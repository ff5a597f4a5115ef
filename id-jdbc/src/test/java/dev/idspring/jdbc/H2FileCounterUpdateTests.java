package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link CounterUpdateTests} on a file-based H2 database.
 */
@Tag("wide")
class H2FileCounterUpdateTests extends CounterUpdateTests {

	H2FileCounterUpdateTests() {
		super(Kind.H2_FILE);
	}

}
