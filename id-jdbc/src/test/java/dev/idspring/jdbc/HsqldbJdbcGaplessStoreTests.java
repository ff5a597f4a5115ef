package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcGaplessStoreTests} on HSQLDB.
 */
@Tag("wide")
class HsqldbJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	HsqldbJdbcGaplessStoreTests() {
		super(Kind.HSQLDB);
	}

}
