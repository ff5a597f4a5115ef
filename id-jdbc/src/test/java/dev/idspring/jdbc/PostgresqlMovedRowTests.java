package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MovedRowTests} on PostgreSQL.
 */
class PostgresqlMovedRowTests extends MovedRowTests {

	PostgresqlMovedRowTests() {
		super(Kind.POSTGRESQL);
	}

}
