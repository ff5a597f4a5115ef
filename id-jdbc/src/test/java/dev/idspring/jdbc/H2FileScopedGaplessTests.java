package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link ScopedGaplessTests} on H2 with a file.
 */
@Tag("wide")
class H2FileScopedGaplessTests extends ScopedGaplessTests {

	H2FileScopedGaplessTests() {
		super(Kind.H2_FILE);
	}

}
