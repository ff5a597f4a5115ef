package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * Runs {@link AbstractDataJdbcTests} on MariaDB.
 */
@Tag("wide")
class MariadbDataJdbcTests extends AbstractDataJdbcTests {

	MariadbDataJdbcTests() {
		super(TestDatabase.mariadb().withBinaryCollation());
	}

}
