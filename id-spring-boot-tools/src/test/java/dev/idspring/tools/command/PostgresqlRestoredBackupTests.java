package dev.idspring.tools.command;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link RestoredBackupTests} on PostgreSQL.
 */
class PostgresqlRestoredBackupTests extends RestoredBackupTests {

	PostgresqlRestoredBackupTests() {
		super(Kind.POSTGRESQL);
	}

}
