package dev.idspring.tools.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link MixedWritersTests} on PostgreSQL.
 */
class PostgresqlMixedWritersTests extends MixedWritersTests {

	PostgresqlMixedWritersTests() {
		super(Kind.POSTGRESQL);
	}

}
