package dev.idspring.tools.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link TimeFunctionTests} on PostgreSQL.
 */
class PostgresqlTimeFunctionTests extends TimeFunctionTests {

	PostgresqlTimeFunctionTests() {
		super(Kind.POSTGRESQL);
	}

}
