package dev.idspring.tools.command;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link RestoredBackupTests} on MariaDB.
 */
@Tag("wide")
class MariadbRestoredBackupTests extends RestoredBackupTests {

	MariadbRestoredBackupTests() {
		super(Kind.MARIADB);
	}

}
