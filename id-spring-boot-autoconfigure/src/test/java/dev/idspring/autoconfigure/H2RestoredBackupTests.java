package dev.idspring.autoconfigure;

import dev.idspring.testsupport.TestDatabase.Kind;

/**
 * {@link RestoredBackupTests} on H2.
 */
class H2RestoredBackupTests extends RestoredBackupTests {

	H2RestoredBackupTests() {
		super(Kind.H2);
	}

}
