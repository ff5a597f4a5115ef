package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcGaplessStoreTests} on a file-based H2 database.
 */
@Tag("wide")
class H2FileJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	H2FileJdbcGaplessStoreTests() {
		super(Kind.H2_FILE);
	}

}
