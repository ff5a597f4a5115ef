package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link ScopedGaplessTests} on HSQLDB.
 */
@Tag("wide")
class HsqldbScopedGaplessTests extends ScopedGaplessTests {

	HsqldbScopedGaplessTests() {
		super(Kind.HSQLDB);
	}

}
