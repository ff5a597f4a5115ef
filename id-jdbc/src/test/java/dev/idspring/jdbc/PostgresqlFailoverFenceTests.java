package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link FailoverFenceTests} on PostgreSQL.
 */
class PostgresqlFailoverFenceTests extends FailoverFenceTests {

	PostgresqlFailoverFenceTests() {
		super(Kind.POSTGRESQL);
	}

}
