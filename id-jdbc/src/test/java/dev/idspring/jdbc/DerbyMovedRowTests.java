package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link MovedRowTests} on Derby.
 */
@Tag("wide")
class DerbyMovedRowTests extends MovedRowTests {

	DerbyMovedRowTests() {
		super(Kind.DERBY);
	}

}
