package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.TestDatabase;

/**
 * Runs {@link AbstractDataJdbcTests} on H2.
 */
class H2DataJdbcTests extends AbstractDataJdbcTests {

	H2DataJdbcTests() {
		// Spring Data quotes the lower-case names in @Table, and H2 stores unquoted names
		// in upper case
		super(TestDatabase.h2().withUrlSuffix(";CASE_INSENSITIVE_IDENTIFIERS=TRUE"));
	}

}
