package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcSlotStoreTests} on SQLite.
 */
@Tag("wide")
class SqliteJdbcSlotStoreTests extends JdbcSlotStoreTests {

	SqliteJdbcSlotStoreTests() {
		super(Kind.SQLITE);
	}

}
