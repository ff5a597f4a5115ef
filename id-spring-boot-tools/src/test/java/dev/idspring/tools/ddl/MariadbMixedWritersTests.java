package dev.idspring.tools.ddl;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link MixedWritersTests} on MariaDB.
 */
@Tag("wide")
class MariadbMixedWritersTests extends MixedWritersTests {

	MariadbMixedWritersTests() {
		super(Kind.MARIADB);
	}

}
