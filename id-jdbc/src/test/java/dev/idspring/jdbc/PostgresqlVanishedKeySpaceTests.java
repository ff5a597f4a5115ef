package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link VanishedKeySpaceTests} on PostgreSQL.
 */
class PostgresqlVanishedKeySpaceTests extends VanishedKeySpaceTests {

	PostgresqlVanishedKeySpaceTests() {
		super(Kind.POSTGRESQL);
	}

}
