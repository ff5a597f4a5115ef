package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link JdbcSlotStoreTests} on PostgreSQL.
 */
class PostgresqlJdbcSlotStoreTests extends JdbcSlotStoreTests {

	PostgresqlJdbcSlotStoreTests() {
		super(Kind.POSTGRESQL);
	}

}
