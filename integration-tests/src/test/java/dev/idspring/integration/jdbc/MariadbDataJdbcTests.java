package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * A shop on MariaDB.
 */
@Tag("wide")
class MariadbDataJdbcTests extends AbstractDataJdbcTests {

	MariadbDataJdbcTests() {
		super(TestDatabase.mariadb().withBinaryTexts());
	}

}
