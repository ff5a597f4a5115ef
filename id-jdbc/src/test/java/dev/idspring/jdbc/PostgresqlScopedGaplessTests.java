package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link ScopedGaplessTests} on PostgreSQL.
 */
class PostgresqlScopedGaplessTests extends ScopedGaplessTests {

	PostgresqlScopedGaplessTests() {
		super(Kind.POSTGRESQL);
	}

}
