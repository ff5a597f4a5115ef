package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link CounterUpdateTests} on SQLite.
 */
@Tag("wide")
class SqliteCounterUpdateTests extends CounterUpdateTests {

	SqliteCounterUpdateTests() {
		super(Kind.SQLITE);
	}

}
