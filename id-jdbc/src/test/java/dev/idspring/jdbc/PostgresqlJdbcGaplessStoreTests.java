package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcGaplessStoreTests} on PostgreSQL.
 */
class PostgresqlJdbcGaplessStoreTests extends JdbcGaplessStoreTests {

	PostgresqlJdbcGaplessStoreTests() {
		super(Kind.POSTGRESQL);
	}

}
