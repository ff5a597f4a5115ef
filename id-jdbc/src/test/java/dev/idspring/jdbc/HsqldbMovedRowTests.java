package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link MovedRowTests} on HSQLDB.
 */
@Tag("wide")
class HsqldbMovedRowTests extends MovedRowTests {

	HsqldbMovedRowTests() {
		super(Kind.HSQLDB);
	}

}
