package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcGaplessStoreTests} on H2 with a file.
 */
@Tag("wide")
class H2FileJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	H2FileJdbcGaplessStoreTests() {
		super(Kind.H2_FILE);
	}

}
