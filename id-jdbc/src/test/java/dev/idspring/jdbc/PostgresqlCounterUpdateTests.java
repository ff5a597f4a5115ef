package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link CounterUpdateTests} on PostgreSQL.
 */
class PostgresqlCounterUpdateTests extends CounterUpdateTests {

	PostgresqlCounterUpdateTests() {
		super(Kind.POSTGRESQL);
	}

}
