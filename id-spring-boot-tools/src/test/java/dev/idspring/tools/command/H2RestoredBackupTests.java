package dev.idspring.tools.command;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link RestoredBackupTests} on H2.
 */
@Tag("wide")
class H2RestoredBackupTests extends RestoredBackupTests {

	H2RestoredBackupTests() {
		super(Kind.H2);
	}

}
