package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link LargerBoundTests} on PostgreSQL.
 */
class PostgresqlLargerBoundTests extends LargerBoundTests {

	PostgresqlLargerBoundTests() {
		super(Kind.POSTGRESQL);
	}

}
