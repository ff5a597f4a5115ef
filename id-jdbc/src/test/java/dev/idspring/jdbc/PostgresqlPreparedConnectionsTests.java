package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link PreparedConnectionsTests} on PostgreSQL.
 */
class PostgresqlPreparedConnectionsTests extends PreparedConnectionsTests {

	PostgresqlPreparedConnectionsTests() {
		super(Kind.POSTGRESQL);
	}

}
