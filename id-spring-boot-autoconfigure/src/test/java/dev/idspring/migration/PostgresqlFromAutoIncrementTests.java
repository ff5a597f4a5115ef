package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FromAutoIncrementTests} on PostgreSQL.
 */
class PostgresqlFromAutoIncrementTests extends FromAutoIncrementTests {

	PostgresqlFromAutoIncrementTests() {
		super(Kind.POSTGRESQL);
	}

}
