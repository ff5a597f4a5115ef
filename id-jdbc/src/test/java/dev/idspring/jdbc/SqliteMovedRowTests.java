package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link MovedRowTests} on SQLite.
 */
@Tag("wide")
class SqliteMovedRowTests extends MovedRowTests {

	SqliteMovedRowTests() {
		super(Kind.SQLITE);
	}

}
