package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link MovedRowTests} on H2 with a file.
 */
@Tag("wide")
class H2FileMovedRowTests extends MovedRowTests {

	H2FileMovedRowTests() {
		super(Kind.H2_FILE);
	}

}
