package dev.idspring.integration.r2dbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * A blog on PostgreSQL.
 */
class PostgresqlDataR2dbcTests extends AbstractDataR2dbcTests {

	PostgresqlDataR2dbcTests() {
		super(TestDatabase.postgresql());
	}

}
