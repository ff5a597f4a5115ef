package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link ScopedGaplessTests} on SQLite.
 */
@Tag("wide")
class SqliteScopedGaplessTests extends ScopedGaplessTests {

	SqliteScopedGaplessTests() {
		super(Kind.SQLITE);
	}

}
