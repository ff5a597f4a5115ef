package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcGaplessStoreTests} on Derby.
 */
@Tag("wide")
class DerbyJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	DerbyJdbcGaplessStoreTests() {
		super(Kind.DERBY);
	}

}
