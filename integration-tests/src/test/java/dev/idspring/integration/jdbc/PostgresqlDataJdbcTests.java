package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * Runs {@link AbstractDataJdbcTests} on PostgreSQL.
 */
@Tag("wide")
class PostgresqlDataJdbcTests extends AbstractDataJdbcTests {

	PostgresqlDataJdbcTests() {
		super(TestDatabase.postgresql());
	}

}
