package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FromAnotherGeneratorTests} on PostgreSQL.
 */
class PostgresqlFromAnotherGeneratorTests extends FromAnotherGeneratorTests {

	PostgresqlFromAnotherGeneratorTests() {
		super(Kind.POSTGRESQL);
	}

}
