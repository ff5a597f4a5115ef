package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * A shop on PostgreSQL.
 */
class PostgresqlDataJdbcTests extends AbstractDataJdbcTests {

	PostgresqlDataJdbcTests() {
		super(TestDatabase.postgresql());
	}

}
