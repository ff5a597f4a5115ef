package dev.idspring.integration.r2dbc;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * Runs {@link AbstractDataR2dbcTests} on PostgreSQL.
 */
@Tag("wide")
class PostgresqlDataR2dbcTests extends AbstractDataR2dbcTests {

	PostgresqlDataR2dbcTests() {
		super(TestDatabase.postgresql());
	}

}
