package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link FromAutoIncrementTests} on MariaDB.
 */
@Tag("wide")
class MariadbFromAutoIncrementTests extends FromAutoIncrementTests {

	MariadbFromAutoIncrementTests() {
		super(Kind.MARIADB);
	}

}
