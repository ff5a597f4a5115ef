package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link ScopedGaplessTests} on a file-based H2 database.
 */
@Tag("wide")
class H2FileScopedGaplessTests extends ScopedGaplessTests {

	H2FileScopedGaplessTests() {
		super(Kind.H2_FILE);
	}

}
