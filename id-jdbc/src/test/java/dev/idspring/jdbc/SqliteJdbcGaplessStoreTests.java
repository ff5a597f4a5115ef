package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcGaplessStoreTests} on SQLite.
 */
@Tag("wide")
class SqliteJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	SqliteJdbcGaplessStoreTests() {
		super(Kind.SQLITE);
	}

}
