package dev.idspring.autoconfigure;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link RestoredBackupTests} on MariaDB.
 */
class MariadbRestoredBackupTests extends RestoredBackupTests {

	MariadbRestoredBackupTests() {
		super(Kind.MARIADB);
	}

}
