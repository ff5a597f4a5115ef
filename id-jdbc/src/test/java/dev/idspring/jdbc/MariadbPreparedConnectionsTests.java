package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link PreparedConnectionsTests} on MariaDB.
 */
@Tag("wide")
class MariadbPreparedConnectionsTests extends PreparedConnectionsTests {

	MariadbPreparedConnectionsTests() {
		super(Kind.MARIADB);
	}

}
