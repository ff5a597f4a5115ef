package dev.idspring.jdbc;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link VanishedKeySpaceTests} on MariaDB.
 */
@Tag("wide")
class MariadbVanishedKeySpaceTests extends VanishedKeySpaceTests {

	MariadbVanishedKeySpaceTests() {
		super(Kind.MARIADB);
	}

}
