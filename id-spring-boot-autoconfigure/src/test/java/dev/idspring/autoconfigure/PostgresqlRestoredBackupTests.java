package dev.idspring.autoconfigure;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link RestoredBackupTests} on PostgreSQL.
 */
class PostgresqlRestoredBackupTests extends RestoredBackupTests {

	PostgresqlRestoredBackupTests() {
		super(Kind.POSTGRESQL);
	}

}
